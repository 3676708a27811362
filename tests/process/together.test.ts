import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bake, bakeRun, contents, fox, namedFiles, run, temporaryFolder, tornFiles } from './program.ts'

/*
 * Bakes that write into one folder at the same time.
 */

const folder = temporaryFolder()

test('two of different names leave two whole sets', async () => {
  const output = join(folder, 'two names')
  await Promise.all([bake(output, ['--name', 'A', '--encoding', 'rgba16']), bake(output, ['--name', 'B', '--encoding', 'exr', '--normals'])])
  expect(Object.keys(contents(output)).sort()).toEqual(['A.json', 'A_mesh.glb', 'A_pos.png', 'B.json', 'B_mesh.glb', 'B_nrm.exr', 'B_pos.exr'])
  expect([...tornFiles(output, 'A'), ...tornFiles(output, 'B')]).toEqual([])
})

/** Some write files of the same name, some do not. */
const variants = [
  ['--encoding', 'rgba16', '--normals'],
  ['--encoding', 'rgba8', '--normals', 'octahedral'],
  ['--encoding', 'exr', '--normals', '--mesh-format', 'gltf'],
  ['--encoding', 'exr16'],
]

test('four of one name leave one of their sets whole, and nothing of the others', async () => {
  const output = join(folder, 'one name')
  const ended = await Promise.all(variants.map((options) => run(bakeRun(output, options))))
  for (const end of ended) expect(end).toEqual({ status: 0, signal: null, stdout: '', stderr: '' })

  expect(Object.keys(contents(output)).sort()).toEqual(['Run.json', ...namedFiles(output, 'Run').map(({ file }) => file)].sort())
  expect(await run(['verify', join(output, 'Run.json'), '--model', fox, '--quiet'])).toEqual({ status: 0, signal: null, stdout: '', stderr: '' })
})
