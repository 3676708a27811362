import { z } from 'zod'
import { TARGETS } from '../bake/options.ts'
import { Problem } from '../model/problem.ts'
import { targetOf } from '../targets/targets.ts'
import type { Tool } from './tool.ts'

const target = z.strictObject({
  name: z.enum(TARGETS),
  /** Why it cannot be baked for, where it cannot. */
  problem: z.string().nullable(),
  space: z
    .strictObject({
      handedness: z.string(),
      up: z.string(),
      unit: z.string(),
      uvOrigin: z.string(),
      axesFromGltf: z.array(z.string()).describe("component i of the bake's space is this component of glTF's"),
      unitsPerMetre: z.number(),
    })
    .nullable(),
  maxSize: z.int().nullable().describe('largest width and height of a texture in pixels, unless told otherwise'),
})

export const listTargets: Tool = {
  name: 'list_targets',
  title: 'List the engines to bake for',
  description: 'Lists the engines that a bake can be made for, with the space and the limits of each.',
  input: z.strictObject({}),
  output: z.strictObject({ targets: z.array(target) }),
  isReadOnly: true,

  async call() {
    const targets = TARGETS.map(describe)
    const names = targets.filter(({ problem }) => problem === null).map(({ name }) => name)
    return { text: `A bake can be made for: ${names.join(', ')}.`, result: { targets } }
  },
}

function describe(name: (typeof TARGETS)[number]): z.output<typeof target> {
  try {
    const { handedness, up, unit, uvOrigin, axesFromGltf, unitsPerMetre, maxSize } = targetOf(name)
    return { name, problem: null, space: { handedness, up, unit, uvOrigin, axesFromGltf, unitsPerMetre }, maxSize }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { name, problem: error.message, space: null, maxSize: null }
  }
}
