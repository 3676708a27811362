import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { decode as decodePng } from 'fast-png'
import { engine } from '../engine.ts'

/** Width and height of the pictures. */
export const SIZE = [320, 320] as const

/** A project of Godot's in a folder of its own. */
export interface GodotProject {
  folder: string
  /** Imports everything; answers what Godot had to complain about, line by line. */
  import(): Promise<string[]>
  /** Draws the pictures, and answers what Godot printed. */
  draw(shots: Shot[], options?: string[]): Promise<string>
  read(file: string): Promise<Picture>
  remove(): Promise<void>
}

/** What project/draw.gd is asked for. */
export interface Shot {
  out: string
  [parameter: string]: unknown
}

export interface Picture {
  width: number
  height: number
  channels: number
  data: ArrayLike<number>
}

/** Lines that Godot prints wherever it has no screen of its own. */
const OF_THE_MACHINE = /V-Sync/

export async function createProject(): Promise<GodotProject> {
  const folder = await mkdtemp(join(tmpdir(), 'godot-'))
  await cp('tests/engines/godot/project', folder, { recursive: true })
  const complaints = (text: string) => text.split('\n').filter((line) => /\b(error|warning)\b/i.test(line) && !OF_THE_MACHINE.test(line))
  return {
    folder,
    async import() {
      return complaints(await engine('godot', ['--headless', '--path', folder, '--import'], [folder]))
    },
    async draw(shots, options = []) {
      await writeFile(join(folder, 'jobs.json'), JSON.stringify({ size: SIZE, shots: shots.map((shot) => ({ ...shot, out: `res://${shot.out}` })) }))
      const driver = ['--rendering-method', 'gl_compatibility', '--rendering-driver', 'opengl3', '--audio-driver', 'Dummy']
      const text = await engine('xvfb-run', ['-a', 'godot', '--path', folder, ...driver, ...options, 'res://draw.tscn'], [folder])
      const [complaint] = complaints(text)
      if (complaint || !text.includes('drawn')) throw new Error(`Godot complains:\n${text}`)
      return text
    },
    async read(file) {
      return decodePng(await readFile(join(folder, file)))
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Puts a model beside the packages, for Godot to import in its own way. */
export async function addOriginal({ folder }: GodotProject, file: string): Promise<string> {
  const name = `original/${basename(file)}`
  await mkdir(join(folder, 'original'), { recursive: true })
  await cp(file, join(folder, name))
  // As often as Godot is ready to sample it.
  await writeFile(join(folder, `${name}.import`), '[remap]\n\nimporter="scene"\ntype="PackedScene"\n\n[params]\n\nanimation/fps=120\nmeshes/ensure_tangents=false\n')
  return `res://${name}`
}

/** How far two pictures differ: the share of pixels whose channels differ by more than a limit, and by how much at most. */
export function comparePictures(one: Picture, other: Picture, limit: number): { share: number; largest: number } {
  let beyond = 0
  let largest = 0
  for (let pixel = 0; pixel < one.width * one.height; pixel++) {
    let difference = 0
    for (let channel = 0; channel < 3; channel++) {
      const values = [one, other].map(({ data, channels }) => data[pixel * channels + channel])
      difference = Math.max(difference, Math.abs(values[0] - values[1]))
    }
    if (difference > limit) beyond++
    largest = Math.max(largest, difference)
  }
  return { share: beyond / (one.width * one.height), largest }
}
