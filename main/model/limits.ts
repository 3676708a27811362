import { Problem } from './problem.ts'

/**
 * What a model and its bake may take at most. The defaults are far above what an engine plays, and low enough for a file that
 * lies about its size to be refused before memory is taken for it. `--limit NAME=NUMBER` moves each of them.
 *
 * `counts` ends the sentence "model.glb has 12 …"; `advice` says what else to do than to raise the limit.
 */
export const LIMITS = {
  'file-size': { most: 1_000, counts: 'megabytes, with the files that it refers to', advice: 'Split the model up' },
  json: { most: 2_000_000, counts: 'values in its JSON', advice: 'Export it with its numbers in a buffer' },
  memory: {
    most: 350,
    counts: 'megabytes of numbers and images beyond what its buffers can account for',
    advice: 'It is damaged or made to do harm; export it again',
  },
  nodes: { most: 100_000, counts: 'nodes', advice: 'Join its parts' },
  joints: { most: 100_000, counts: 'joints in its skins', advice: 'Simplify the model' },
  meshes: { most: 50_000, counts: 'meshes in its scene', advice: 'Join its meshes' },
  vertices: { most: 5_000_000, counts: 'vertices in its scene', advice: 'Simplify the model' },
  triangles: { most: 10_000_000, counts: 'triangles in its scene', advice: 'Simplify the model' },
  morphs: { most: 100_000_000, counts: 'vertices in its morph targets', advice: 'Simplify the model' },
  clips: { most: 2_000, counts: 'animations', advice: 'Split the model up' },
  keys: { most: 5_000_000, counts: 'key frames in its animations', advice: 'Export it with fewer animations or keys' },
  pixels: { most: 2 ** 28, counts: 'pixels in an image', advice: 'Make it smaller' },
  frames: { most: 100_000, counts: 'frames to bake', advice: 'Bake fewer clips, a shorter range or a lower --fps' },
  texels: { most: 2 ** 28, counts: 'texels in its textures', advice: 'Bake fewer frames or fewer meshes at a time' },
} as const

export type LimitName = keyof typeof LIMITS
export type Limits = Record<LimitName, number>

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[]

export const DEFAULT_LIMITS = Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMITS[name].most])) as Limits

/** `vertices=5000000` */
export const LIMIT_PATTERN = new RegExp(`^(${LIMIT_NAMES.join('|')})=(\\d{1,15})$`)

/**
 * The limits that count when some of them are moved; of several for one name the last counts.
 *
 * @param moved texts that match {@link LIMIT_PATTERN}
 */
export function limitsOf(moved: string[] = []): Limits {
  const limits = { ...DEFAULT_LIMITS }
  for (const text of moved) {
    const match = LIMIT_PATTERN.exec(text)
    if (!match) throw new TypeError(`not a limit: ${text}`)
    limits[match[1] as LimitName] = Number(match[2])
  }
  return limits
}

/**
 * @param file  whose name begins the sentence
 * @param count how much there is, in the limit's own unit
 * @throws Problem `limit` with both numbers where there is more than allowed
 */
export function checkLimit(file: string, limits: Limits, name: LimitName, count: number): void {
  if (!(count > limits[name])) return
  const { counts, advice } = LIMITS[name]
  const [has, most] = [Math.ceil(count), limits[name]].map((number) => number.toLocaleString('en-US'))
  throw new Problem('limit', `${file} has ${has} ${counts}, and at most ${most} are allowed. ${advice}, or allow more with --limit ${name}=${Math.ceil(count)}.`)
}

/** For the limits in megabytes. */
export const MEGABYTE = 1e6
