import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { boxDiagonal } from '../../../main/model/box.ts'
import { createPose } from '../../../main/model/animated-model.ts'
import { createEvaluator } from '../../../main/model/evaluate.ts'
import { readModel } from '../../../main/readers/read-model.ts'
import { spaceMatrix } from '../../../main/targets/target.ts'
import { measureClip } from '../../../renderer/estimate/measure-clip.ts'
import { thinOut } from '../../../renderer/estimate/thin-out.ts'
import type { AnimatedModel } from '../../../main/model/animated-model.ts'

const sampleFile = (name: string) => resolve(import.meta.dirname, '../../../resources/samples', name)

function looker(model: AnimatedModel) {
  const evaluator = createEvaluator(model, model.meshes.map((_, index) => index), spaceMatrix(['+x', '+y', '+z'], 1))
  const rest = evaluator.createFrame({ normals: false, tangents: false })
  const pose = createPose(model)
  model.pose(null, 0, pose)
  evaluator.evaluate(pose, rest)
  return {
    model, evaluator, rest,
    async pose(clip: AnimatedModel['clips'][number], time: number) {
      model.pose(clip, time, pose)
      return pose
    },
    pause: async () => {},
  }
}

describe('a look at a clip', () => {
  it('finds the seam, and nearly the size, that a bake of it measures', async () => {
    const { model } = await readModel(sampleFile('Fox.glb'))
    const run = model.clips.find(({ name }) => name === 'Run')!
    const found = await measureClip(looker(model), run)
    expect(found.seam).toBeLessThan(0.001)
    // A bake of Run reports 374.76 mm as 0.19279 % of the diagonal over all of its frames.
    const diagonal = 374.76 / 1000 / 0.0019279
    expect(boxDiagonal(found.box)).toBeGreaterThan(diagonal * 0.97)
    expect(boxDiagonal(found.box)).toBeLessThanOrEqual(diagonal * 1.001)
    expect(boxDiagonal(found.offsets)).toBeGreaterThan(0)
    expect(found.endsDiagonal).toBeLessThanOrEqual(boxDiagonal(found.box))
  })

  it('finds nearly the same in a model with fewer vertices', async () => {
    const { model } = await readModel(sampleFile('RobotExpressive.glb'))
    const wave = model.clips.find(({ name }) => name === 'Wave')!
    const whole = await measureClip(looker(model), wave)
    const thin = thinOut(model, 1000)
    expect(thin.meshes.reduce((sum, mesh) => sum + mesh.vertexCount, 0)).toBeLessThan(1100)
    const found = await measureClip(looker(thin), wave)
    expect(boxDiagonal(found.box)).toBeGreaterThan(boxDiagonal(whole.box) * 0.9)
    expect(boxDiagonal(found.box)).toBeLessThanOrEqual(boxDiagonal(whole.box))
  })

  it('leaves a small model as it is', async () => {
    const { model } = await readModel(sampleFile('AnimatedMorphCube.glb'))
    const thin = thinOut(model, 20_000)
    expect(thin.meshes[0].positions).toBe(model.meshes[0].positions)
    expect(thin.meshes[0].morphTargets).toHaveLength(model.meshes[0].morphTargets.length)
  })
})
