import { mkdtemp, mkdir, readFile, readdir, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Problem } from '../model/problem.ts'
import { hashFile } from './hash.ts'

/*
 * Nothing is written in place. A bake writes its files into a staging folder beside the old ones, and renames them into
 * place when all are there and verified, the sidecar last. A process that is killed leaves its staging folder:
 *  - without `publish.json` nothing has been moved yet: the old set is whole, and the folder is thrown away;
 *  - with it the new set was complete: the next run finishes the renames. Until then the old sidecar's hashes tell that the
 *    set is torn.
 * Files are moved by one bake of a name at a time, which first finishes what a killed one has begun to move.
 */

/** Name of the bake, and number of its process: that is known even before the folder has its owner file. */
const STAGING = /^\.(.+)\.vat-staging-(\d+)-[A-Za-z0-9]{6}$/
const LOCK = /^\..+\.vat-lock$/
const OWNER = 'owner.json'
const PUBLISH = 'publish.json'
/** A folder whose owner cannot be asked (another machine, a reused process number) counts as left after this time. */
const SILENCE = 60_000
const HEARTBEAT = 5_000
/** How long a bake waits for another one to move its files: longer than it takes a dead one to be known as such. */
const PATIENCE = SILENCE + 10_000

const owner: Owner = { pid: process.pid, host: hostname() }

/** A folder for the files of one bake until they are complete. */
export interface Staging {
  folder: string
  /** Where to write a file of that name. */
  path(file: string): string
  /** Writes a small file. */
  write(file: string, text: string): Promise<void>
  /** Runs an action while no bake of this name moves its files. */
  alone(action: () => Promise<void>): Promise<void>
  /**
   * Moves the files into the output folder, the last of them last, and removes what the set before it no longer has.
   *
   * @param files names in the order of moving; the sidecar is the last
   * @param check may still refuse, when no other bake of this name can move anything any more
   */
  publish(files: string[], check?: () => Promise<void>): Promise<void>
  /** Removes the folder, and the output folder where this bake made it and it is still empty. */
  discard(): Promise<void>
}

/** The files of a complete set, in the order of moving. */
interface Publication {
  files: string[]
}

interface Owner {
  pid: number
  host: string
  /** In a staging folder: the topmost folder that was made for it. */
  made?: string
  /** In a lock: the staging folder whose files are being moved. */
  staging?: string
}

/**
 * Makes a staging folder inside the output folder (so that moving is a rename), after clearing up what killed bakes left.
 *
 * @throws Problem `output` where the folder cannot be made or written to
 */
export async function createStaging(output: string, name: string): Promise<Staging> {
  const madeFolder = await makeFolder(output)
  const explain = (error: unknown) => {
    throw outputProblem(output, error)
  }
  await recoverOutput(output).catch(explain)
  const folder = await makeOwnFolder(output, name, madeFolder).catch(explain)
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(join(folder, OWNER), now, now).catch(() => {})
  }, HEARTBEAT)
  heartbeat.unref()
  const end = () => clearInterval(heartbeat)

  return {
    folder,
    path: (file) => join(folder, file),
    write: (file, text) => writeFile(join(folder, file), text).catch(explain),
    alone: (action) => whileLocked(folder, action).catch(explain),
    async publish(files, check) {
      const move = async () => {
        await check?.()
        await writeFile(join(folder, `${PUBLISH}.part`), JSON.stringify({ files } satisfies Publication))
        await rename(join(folder, `${PUBLISH}.part`), join(folder, PUBLISH))
        await moveIntoPlace(folder)
      }
      await whileLocked(folder, move).catch(explain)
      end()
    },
    async discard() {
      end()
      await throwAway(folder)
    },
  }
}

/**
 * Settles a staging folder whose bake is over: finishes moving a complete set, throws away an incomplete one.
 * A folder that is gone is settled.
 */
export async function recoverStaging(folder: string): Promise<void> {
  if (!(await exists(join(folder, PUBLISH)))) return throwAway(folder)
  await whileLocked(folder, () => moveIntoPlace(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

/** Removes a staging folder, and the folders that were made for it where they are still empty. */
async function throwAway(folder: string): Promise<void> {
  const made = (await readOwner(join(folder, OWNER)))?.made
  // First, so that what is left where this is interrupted does not look like a set that is being moved.
  await rm(join(folder, PUBLISH), { force: true })
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  if (made) await removeEmptyFolders(dirname(folder), made)
}

/** Settles every staging folder in an output folder whose bake was killed, and removes the locks of such bakes. */
export async function recoverOutput(output: string): Promise<void> {
  const entries = await readdir(output)
  for (const entry of entries) {
    if (STAGING.test(entry) && (await isOwnerGone(join(output, entry, OWNER)))) await recoverStaging(join(output, entry))
  }
  for (const entry of entries) {
    if (LOCK.test(entry)) await breakLock(join(output, entry))
  }
}

/**
 * Refuses to replace files that are not an earlier bake of the same model.
 *
 * @param files names that the bake will write, the sidecar's last
 * @throws Problem `output` that says whose file is in the way
 */
export async function refuseForeignFiles(output: string, files: string[], model: string): Promise<void> {
  const sidecarFile = files[files.length - 1]
  const way = 'Choose another --name or folder, or replace it with --overwrite.'
  const old = await readOldSidecar(join(output, sidecarFile))
  if (old === 'foreign') {
    throw new Problem('output', `${join(output, sidecarFile)} exists and is not a sidecar of VAT Studio. ${way}`)
  }
  if (old && old.source !== basename(model)) {
    throw new Problem('output', `${join(output, sidecarFile)} belongs to a bake of another model, ${old.source}. ${way}`)
  }
  const ours = new Set([...(old?.files ?? []).map((entry) => entry.file), ...(old ? [sidecarFile] : [])])
  for (const file of files) {
    if (ours.has(file)) continue
    if (await exists(join(output, file))) throw new Problem('output', `${join(output, file)} exists and does not belong to a bake. ${way}`)
  }
}

/**
 * Refuses to write over the model itself, whatever else may be replaced.
 *
 * @throws Problem `output`
 */
export async function refuseModel(output: string, files: string[], model: string): Promise<void> {
  const { dev, ino } = await stat(model)
  for (const file of files) {
    const entry = await stat(join(output, file)).catch(() => null)
    if (entry?.dev === dev && entry.ino === ino) {
      throw new Problem('output', `${join(output, file)} is the model that is baked. Choose another --name or folder.`)
    }
  }
}

/** Moves what is left to move of a complete set; only while its name is locked. Nothing is left of a folder that is gone. */
async function moveIntoPlace(folder: string): Promise<void> {
  const publication = await readPublication(folder)
  if (!publication) return throwAway(folder)
  const output = dirname(folder)
  const { files } = publication
  const sidecarFile = files[files.length - 1]
  const move = (file: string) =>
    moveFile(join(folder, file), join(output, file)).catch((error: NodeJS.ErrnoException) => {
      // Gone where an earlier run that was killed has moved it.
      if (error.code === 'ENOENT') return
      throw new Problem('output', `Cannot replace ${join(output, file)}: ${reason(error)}. Close programs that use it, then bake again.`)
    })
  if (await exists(join(folder, sidecarFile))) {
    // As long as the old sidecar is in its place, whoever has to go on with this finds the same leftovers.
    const leftovers = await findLeftovers(output, sidecarFile, files)
    for (const file of files.slice(0, -1)) await move(file)
    for (const file of leftovers) await rm(file, { force: true })
    await move(sidecarFile)
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** What `publish.json` says; null where there is none, and nothing may be moved. */
async function readPublication(folder: string): Promise<Publication | null> {
  try {
    const publication = JSON.parse(await readFile(join(folder, PUBLISH), 'utf8')) as Publication
    // The folder may have come from anywhere, in an archive say: nothing outside of the output folder may be touched.
    return Array.isArray(publication.files) && publication.files.length > 0 && publication.files.every(isPlainName) ? publication : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whether a name is that of an entry in a folder, and leads nowhere else. */
function isPlainName(name: unknown): boolean {
  return typeof name === 'string' && name !== '' && !/^\.{1,2}$|[/\\\0]/.test(name)
}

/** Windows refuses to rename onto a file that somebody reads; most readers (virus scanners, engines) are done in a moment. */
async function moveFile(from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rename(from, to)
    } catch (error) {
      const busy = ['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')
      if (!busy || attempt >= 10) throw error
      await wait(50 * (attempt + 1))
    }
  }
}

/**
 * Runs an action while no other bake of a staging folder's name moves files. What a killed one has moved in part is finished
 * before: were it finished after the action, the two sets would mix.
 */
async function whileLocked(folder: string, action: () => Promise<void>): Promise<void> {
  const output = dirname(folder)
  const name = STAGING.exec(basename(folder))![1]
  const unlock = await lock(join(output, `.${name}.vat-lock`), folder)
  try {
    for (const entry of await readdir(output)) {
      if (STAGING.exec(entry)?.[1] === name && (await isPartlyMoved(join(output, entry)))) await moveIntoPlace(join(output, entry))
    }
    await action()
  } finally {
    await unlock()
  }
}

async function isPartlyMoved(folder: string): Promise<boolean> {
  const publication = await readPublication(folder)
  const there = await Promise.all(publication?.files.map((file) => exists(join(folder, file))) ?? [])
  return there.includes(false)
}

/**
 * Makes a lock, and waits while somebody else has it. A lock is a folder with the owner file of whoever has it, under a name
 * that only he uses: one rename makes both at once, and of several who find that he is gone none can take away the lock of
 * the next one.
 *
 * @param folder where it is prepared
 * @returns what removes it
 */
async function lock(path: string, folder: string): Promise<() => Promise<void>> {
  const prepared = await mkdtemp(join(folder, 'lock-'))
  const holder = `${owner.pid}-${basename(prepared)}.json`
  const staging = basename(folder)
  await writeFile(join(prepared, holder), JSON.stringify({ ...owner, staging } satisfies Owner))
  const deadline = Date.now() + PATIENCE
  for (;;) {
    try {
      await rename(prepared, path)
      return () => removeLock(path, holder)
    } catch (error) {
      // Windows says EPERM where the other systems say that the folder in the way is not empty.
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
    await breakLock(path, staging)
    if (Date.now() > deadline) {
      throw new Problem('output', `Another bake keeps ${path} locked. Wait for it to end, or remove that folder where no bake is running.`)
    }
    await wait(20)
  }
}

/**
 * Removes a lock whose owner is gone, or was about to remove it.
 *
 * @param staging folder that is to be moved now: a lock for it in this process is one of a worker that was killed
 */
async function breakLock(path: string, staging?: string): Promise<void> {
  const [holder] = await readdir(path).catch(() => [])
  if (holder === undefined) return removeLock(path)
  const writer = await readOwner(join(path, holder))
  const isWorkers = writer !== null && isSameProcess(writer) && writer.staging === staging
  if (isWorkers || (await isOwnerGone(join(path, holder)))) await removeLock(path, holder)
}

async function removeLock(path: string, holder?: string): Promise<void> {
  if (holder !== undefined) await rm(join(path, holder), { force: true })
  // Fails where the next one has the lock already.
  await rmdir(path).catch(() => {})
}

/** What an owner file says; null where there is none, or it is not whole. */
async function readOwner(file: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Owner
  } catch {
    return null
  }
}

/** Whether the process has ended that an owner file belongs to. */
async function isOwnerGone(file: string): Promise<boolean> {
  const folder = dirname(file)
  const writer = (await readOwner(file)) ?? ownerByName(folder)
  const entry = await stat(file).catch(() => stat(folder).catch(() => null))
  // Gone: whoever it belonged to has settled it.
  if (!writer || !entry) return false
  if (writer.host === owner.host && !isSameProcess(writer)) return !isRunning(writer.pid)
  return Date.now() - entry.mtimeMs > SILENCE
}

/** Whose a staging folder is that has no owner file (yet). */
function ownerByName(folder: string): Owner | null {
  const match = STAGING.exec(basename(folder))
  return match && { pid: Number(match[2]), host: owner.host }
}

function isSameProcess({ pid, host }: Owner): boolean {
  return pid === owner.pid && host === owner.host
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

interface OldSidecar {
  source: string
  /** Every file of the set with its hash, where it has one. */
  files: { file: string; sha256?: string }[]
}

/** What the sidecar in the output folder says; read leniently, since it may be of an older version of the program. */
async function readOldSidecar(file: string): Promise<OldSidecar | 'foreign' | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    return 'foreign'
  }
  try {
    const json = JSON.parse(text)
    if (json.format !== 'vat-studio' || typeof json.source.file !== 'string') return 'foreign'
    const resources = json.meshes.flatMap((mesh: { resources?: unknown[] }) => mesh.resources ?? [])
    const ways = (json.clips ?? []).flatMap((clip: { rootMotion?: unknown }) => clip.rootMotion ?? [])
    const named = [...json.textures, ...json.meshes, ...resources, ...ways, ...(json.package ?? [])]
    return {
      source: json.source.file,
      files: named.filter(
        (entry) => typeof entry.file === 'string' && basename(entry.file) === entry.file && ['string', 'undefined'].includes(typeof entry.sha256),
      ),
    }
  } catch {
    return 'foreign'
  }
}

/** Paths of the files of the set before this one that it no longer has (another encoding, no normals), where they are unchanged. */
async function findLeftovers(output: string, sidecarFile: string, kept: string[]): Promise<string[]> {
  const old = await readOldSidecar(join(output, sidecarFile))
  if (!old || old === 'foreign') return []
  const keptFolded = new Set(kept.map((file) => file.toLowerCase()))
  const leftovers: string[] = []
  for (const { file, sha256 } of old.files) {
    if (keptFolded.has(file.toLowerCase())) continue
    const path = join(output, file)
    const hash = await hashFile(path).catch(() => null)
    if (hash === sha256) leftovers.push(path)
  }
  return leftovers
}

/** Makes a staging folder with its owner file. Where that fails, nothing is left of it. */
async function makeOwnFolder(output: string, name: string, made: string | undefined): Promise<string> {
  let folder: string | undefined
  try {
    folder = await mkdtemp(join(output, `.${name}.vat-staging-${owner.pid}-`))
    await writeFile(join(folder, OWNER), JSON.stringify({ ...owner, made } satisfies Owner))
    return folder
  } catch (error) {
    if (folder) await rm(folder, { recursive: true, force: true })
    if (made) await removeEmptyFolders(output, made)
    throw error
  }
}

/**
 * Makes a folder and its parents one by one, since Node's recursive way never ends on some pseudo file systems.
 * Returns the topmost that was made, or undefined where it existed.
 */
async function makeMissing(folder: string): Promise<string | undefined> {
  const entry = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (entry?.isDirectory()) return undefined
  if (entry) throw Object.assign(new Error(`${folder} is a file`), { code: 'EEXIST' })
  const parent = dirname(folder)
  const made = parent === folder ? undefined : await makeMissing(parent)
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    // Another bake may have made it in the meantime.
    if (error.code !== 'EEXIST') throw error
  })
  return made ?? folder
}

/** Makes the output folder where it is missing. Returns the topmost folder that was made. */
async function makeFolder(folder: string): Promise<string | undefined> {
  try {
    return await makeMissing(resolve(folder))
  } catch (error) {
    throw new Problem('output', `Cannot make the folder ${folder}: ${reason(error as NodeJS.ErrnoException)}. Choose another with -o.`)
  }
}

/** Removes folders from the innermost outwards while they are empty, and none outside of `upTo`. */
async function removeEmptyFolders(from: string, upTo: string): Promise<void> {
  for (let folder = resolve(from); folder === upTo || folder.startsWith(upTo + sep); folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch {
      // Something else has been put there: it stays.
      return
    }
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** What the disk refused as a Problem; other errors as they are. */
function outputProblem(output: string, error: unknown): unknown {
  if (typeof (error as NodeJS.ErrnoException).errno !== 'number') return error
  return new Problem('output', `Cannot write into ${output}: ${reason(error as NodeJS.ErrnoException)}. Choose another folder with -o.`)
}

/** A system error in words. */
function reason(error: NodeJS.ErrnoException): string {
  const words: Record<string, string> = {
    EACCES: 'permission is denied',
    EPERM: 'permission is denied',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'part of the path is a file',
    EEXIST: 'a file of that name is in the way',
    EISDIR: 'a folder of that name is in the way',
    EBUSY: 'it is in use',
    ENAMETOOLONG: 'the name is too long',
  }
  return words[error.code ?? ''] ?? error.message
}
