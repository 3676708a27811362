import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bake } from '../../main/bake/bake.ts'
import { bakeOptions } from '../../main/bake/options.ts'
import { writeTube } from '../bench/tube.ts'
import { contents, run, temporaryFolder } from './program.ts'

const VERTICES = 40_000
const FRAMES = 45

test('a bake that two threads have measured is that of one, byte for byte', async () => {
  const folder = temporaryFolder()
  const model = join(folder, 'tube.glb')
  await writeTube(model, VERTICES, FRAMES)
  const { status, stderr } = await run(['bake', model, '--normals', '--encoding', 'exr', '-o', 'two'], { folder })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })

  const asked: string[] = []
  const startLane = () => (asked.push('lane'), null)
  for await (const _ of bake(model, bakeOptions.parse({ normals: 'xyz', encoding: 'exr', output: join(folder, 'one') }), { startLane }));
  // It is large enough for a second thread to be asked for.
  expect(asked).toEqual(['lane'])
  expect(contents(join(folder, 'two'))).toEqual(contents(join(folder, 'one')))
})
