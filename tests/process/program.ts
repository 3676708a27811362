import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, inject } from 'vitest'

/*
 * The command line as a process of its own, and what it leaves on the disk. Nothing here knows the code that is tested.
 */

export const fox = resolve(import.meta.dirname, '../../resources/samples/Fox.glb')

/** How a process ended. */
export interface Ended {
  /** Exit status; null where a signal ended it. */
  status: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcessByStdio<null, Readable, Readable>
  ended: Promise<Ended>
}

export interface Start {
  /** Current folder of the process. */
  folder?: string
  /** Settings of disk-watch.mjs, which is loaded where there are any. */
  disk?: DiskWatch
  /** A program and its arguments that start the process in their turn. */
  through?: string[]
}

/** See disk-watch.mjs. */
export interface DiskWatch {
  log?: string
  kill?: number
  full?: number
  hold?: { after: number; file: string }
}

/** Starts the command line. */
export function start(args: string[], { folder, disk, through = [] }: Start = {}): Running {
  const [file, ...rest] = [...through, process.execPath, inject('program'), ...args]
  const { NODE_OPTIONS: _ours, ...inherited } = process.env
  const child = spawn(file, rest, { cwd: folder, env: { ...inherited, ...watching(disk) }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<Ended>((resolve, reject) => {
    const text = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (piece: string) => (text[name] += piece))
    child.on('error', reject)
    child.on('close', (status, signal) => resolve({ status, signal, ...text }))
  })
  return { child, ended }
}

/** Runs the command line to its end. */
export function run(args: string[], how?: Start): Promise<Ended> {
  return start(args, how).ended
}

/** A bake of four frames of the fox, named Run. */
export function bakeRun(output: string, options: string[]): string[] {
  return ['bake', fox, '--anim', 'Run', '--frames', '4', '--quiet', '-o', output, ...options]
}

/** Runs a bake that has to succeed. */
export async function bake(output: string, options: string[], how?: Start): Promise<void> {
  expect(await run(bakeRun(output, options), how)).toEqual({ status: 0, signal: null, stdout: '', stderr: '' })
}

function watching(disk: DiskWatch | undefined): Record<string, string> {
  if (!disk) return {}
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'disk-watch.mjs')).href}`,
    DISK_LOG: disk.log ?? '',
    DISK_KILL: String(disk.kill ?? ''),
    DISK_FULL: String(disk.full ?? ''),
    DISK_HOLD: String(disk.hold?.after ?? ''),
    DISK_HOLD_FILE: disk.hold?.file ?? '',
  }
}

/** A folder for the tests of a file, removed after them. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vat-process-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** SHA-256 of every file in a folder by its name, hidden ones included; 'folder' for what is none. */
export function contents(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true })
  return Object.fromEntries(entries.map((entry) => [entry.name, entry.isFile() ? hash(join(folder, entry.name)) : 'folder']))
}

/** What a bake keeps in an output folder only while it runs. */
export function remains(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.startsWith('.'))
}

interface Hashed {
  file: string
  sha256: string
}

/** The files that a sidecar names, with their hashes. */
export function namedFiles(folder: string, name: string): Hashed[] {
  const { textures, meshes } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
    textures: Hashed[]
    meshes: (Hashed & { resources: Hashed[] })[]
  }
  return [...textures, ...meshes, ...meshes.flatMap((mesh) => mesh.resources)]
}

/** The files of a set that are missing, or are not what its sidecar says. */
export function tornFiles(folder: string, name: string): string[] {
  const found = contents(folder)
  const torn = namedFiles(folder, name).filter(({ file, sha256 }) => found[file] !== sha256)
  return torn.map(({ file }) => file)
}

function hash(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** Does a work for each item, as many at a time as the machine has processors. */
export async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const lane = async () => {
    while (left.length > 0) await work(left.shift()!)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, lane))
}

/** `3 × this, 1 × that`. */
export function tally(outcomes: string[]): string {
  return [...new Set(outcomes)].map((one) => `${outcomes.filter((outcome) => outcome === one).length} × ${one}`).join(', ')
}

/**
 * Moments within a duration, one in each of as many equal parts of it. The same for the same seed; SEED=… in the environment
 * repeats a run.
 */
export function randomMoments(count: number, duration: number): { seed: number; moments: number[] } {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
  const random = randomNumbers(seed)
  return { seed, moments: Array.from({ length: count }, (_, i) => ((i + random()) / count) * duration) }
}

/** Uniform numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
