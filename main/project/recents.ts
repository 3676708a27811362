import { copyFileSync, mkdirSync, readFileSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/** A model or a project that was opened or baked. */
const recent = z.object({
  path: z.string(),
  /** Milliseconds since 1970. */
  openedAt: z.number(),
  pinned: z.boolean(),
})

export type Recent = z.output<typeof recent>

/** Pinned ones are always kept and do not count. */
const KEPT = 50

/** A lock that is older belongs to a program that has died: changing the list takes milliseconds. */
const STALE = 5_000
/** After that long the list is changed anyway: losing an entry of somebody else is better than a program that hangs. */
const PATIENCE = 2_000

/** Where the platform keeps what VAT Studio remembers: the editor and the command line share it. */
export function applicationData(env = process.env, platform = process.platform, home = homedir()): string {
  if (env.VAT_STUDIO_USER_DATA) return env.VAT_STUDIO_USER_DATA
  switch (platform) {
    case 'win32':
      return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'VAT Studio')
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'VAT Studio')
    default:
      return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'VAT Studio')
  }
}

export function recentsFile(): string {
  return join(applicationData(), 'recents.json')
}

/**
 * The list as it is now: pinned ones first, then the latest first. A file that is missing or damaged never keeps a program from
 * starting: what can still be read of it counts, or else the list as it was before.
 */
export function readRecents(file: string): Recent[] {
  return sorted(readEntries(file) ?? readEntries(backupOf(file)) ?? [])
}

/**
 * Changes the list as it is at that moment, so that of two programs none undoes what the other one has done.
 *
 * @returns the new list
 * @throws the file system's own error where the file cannot be written
 */
export function changeRecents(file: string, change: (recents: Recent[]) => Recent[]): Recent[] {
  mkdirSync(dirname(file), { recursive: true })
  const unlock = lock(`${file}.lock`)
  try {
    const changed = sorted(change(readRecents(file)))
    const kept = changed.slice(0, changed.filter(({ pinned }) => pinned).length + KEPT)
    if (readEntries(file)) copyFileSync(file, backupOf(file))
    // Renamed into place: who reads meanwhile, or is killed now, finds the old list whole.
    const fresh = `${file}.${process.pid}.new`
    writeFileSync(fresh, `${JSON.stringify(kept, null, 2)}\n`)
    renameSync(fresh, file)
    return kept
  } finally {
    unlock()
  }
}

/** Puts a model or a project at the head of the list. That it cannot be remembered must not spoil what was done with it. */
export function addRecent(file: string, path: string, openedAt = Date.now()): void {
  try {
    changeRecents(file, (recents) => {
      const pinned = recents.find((entry) => entry.path === path)?.pinned ?? false
      return [{ path, openedAt, pinned }, ...withoutRecent(recents, path)]
    })
  } catch {
    // See above.
  }
}

export function withoutRecent(recents: Recent[], path: string): Recent[] {
  return recents.filter((entry) => entry.path !== path)
}

const backupOf = (file: string) => `${file}.old`

function sorted(recents: Recent[]): Recent[] {
  return recents.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.openedAt - a.openedAt)
}

/** Those entries of a file that are whole; null where it is none. */
function readEntries(file: string): Recent[] | null {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!Array.isArray(json)) return null
    return json.flatMap((entry) => recent.safeParse(entry).data ?? [])
  } catch {
    return null
  }
}

/** Takes a lock, a folder, which only one program can make. */
function lock(folder: string): () => void {
  const deadline = Date.now() + PATIENCE
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    try {
      mkdirSync(folder)
      return () => rmdirSync(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > STALE) removeQuietly(folder)
    if (Date.now() > deadline) return () => {}
    Atomics.wait(pause, 0, 0, 5)
  }
}

function removeQuietly(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Its owner, or somebody else who waits, was faster.
  }
}
