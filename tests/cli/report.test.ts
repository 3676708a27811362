import { describe, expect, test } from 'vitest'
import { bakeText, planText } from '../../main/cli/bake.ts'
import { inspectText } from '../../main/cli/inspect.ts'
import { formatSections, pathText } from '../../main/cli/report.ts'
import { verifyText } from '../../main/cli/verify.ts'
import { results, sidecar } from '../jobs/samples.ts'

test('a bake tells what was baked, how large, how long it took, how exact it is and where it is', () => {
  expect(bakeText(results.bake, '/project').join('\n')).toBe(
    `
Baked Run from Fox.glb in 1.24 s.

Clip       Run  35 frames  30.2 fps  1.16 s  loops, seam under 0.01 mm
Mesh       1,728 vertices in 1 mesh
Textures   position  1,728 × 35 px  rgba16  484 kB on the GPU  312 kB on disk
           normal    1,728 × 35 px  rgba16  484 kB on the GPU  298 kB on disk
Max error  at samples    1.47 mm   0.00085 % of size  vertex 77, frame 12
           between them  1,620 mm  0.94 % of size     vertex 3, frame 12.5
Normals    at samples    under 0.01°  vertex 9, frame 4
           between them  1.25°        vertex 8, frame 7.5
Note       Between samples it is up to 0.94 % of the size off: a higher --fps makes it smoother.
           The model is 167 m across. If its unit is the centimetre, bake with --scale 0.01.
Warnings   2 primitives of points or lines were left out.
Files      out/Run_pos.png    312 kB
           out/Run_nrm.png    298 kB
           out/Run_mesh.glb   163 kB
           out/Run.json      3.12 kB
`.trim(),
  )
})

test('a plan tells what would be baked and how large it would be', () => {
  expect(planText(results.plan, '/models/Fox.glb', '/project').join('\n')).toBe(
    `
Run of Fox.glb would be baked into out. Nothing was written.

Clip      Run  35 frames  30.2 fps  1.16 s  loops, seam under 0.01 mm
Mesh      1,728 vertices in 1 mesh
Textures  position  1,728 × 35 px  exr16  484 kB on the GPU
`.trim(),
  )
})

test('an inspection lists meshes, skins, clips and what they would take', () => {
  expect(inspectText(results.inspect, '/project').join('\n')).toBe(
    `
/models/Fox.glb: 1,728 vertices, 576 triangles.

Size       25.2 × 78.9 × 155 m at rest
Meshes     name  node  material      vertices  triangles  moved by            morphs  normals
           fox1  fox   fox_material     1,728        576  skin, 4 influences       –  no
Skins      root  24 joints
Materials  fox_material
Clips          name  from      to  frames   rgba8   exr16
           #2  Run    0 s  1.16 s      35  242 kB  484 kB
           Frames at 30 fps; bytes of the positions on the GPU, and as many again with normals.
`.trim(),
  )
})

describe('an inspection', () => {
  test('of a model without meshes and clips says so', () => {
    const text = inspectText({ ...results.inspect, vertexCount: 0, size: null, meshes: [], skins: [], clips: [], materials: [] }, '/project').join('\n')
    expect(text).toContain('Meshes  none: there is nothing to bake')
    expect(text).toContain('Clips   none: there is nothing to bake')
    expect(text).not.toContain('Size')
  })

  test('says once why a clip does not fit', () => {
    const problem = '"Run" does not fit.'
    const [clip] = results.inspect.clips
    const clips = [{ ...clip, encodings: clip.encodings.map(({ encoding }) => ({ encoding, bytes: null, problem })) }]
    const text = inspectText({ ...results.inspect, clips }, '/project').join('\n')
    expect(text.match(/too large/g)).toHaveLength(2)
    expect(text.match(/does not fit/g)).toHaveLength(1)
  })
})

describe('a verification', () => {
  test('tells that the files are whole and how exact they are', () => {
    const text = verifyText(results.verify, '/project').join('\n')
    expect(text).toContain('out/Run.json: Run, baked from Fox.glb.')
    expect(text).toMatch(/^Files +3 files are as baked$/m)
    expect(text).toContain('1.47 mm')
    expect(text).not.toContain('Note')
  })

  test('without the model says what is missing', () => {
    const text = verifyText({ ...results.verify, model: null, report: null }, '/project').join('\n')
    expect(text).toContain('Fox.glb was not found, so no error was measured. Pass it with --model.')
    expect(text).not.toContain('at samples')
  })

  test('says that the model has changed', () => {
    expect(verifyText({ ...results.verify, modelChanged: true }, '/project').join('\n')).toContain('Fox.glb has changed since it was baked.')
  })
})

test('with several clips the worst place names its clip', () => {
  const clips = [...sidecar.clips, { ...sidecar.clips[0], name: 'Walk', firstRow: 35, loop: false, seam: 1.2 }]
  const text = bakeText({ ...results.bake, sidecar: { ...sidecar, clips } }, '/project').join('\n')
  expect(text).toContain('vertex 77, frame 12 of Run')
  expect(text).toContain('does not loop, seam 1,200 mm')
})

test('sections without lines are left out', () => {
  expect(
    formatSections([
      ['A', ['1', '2']],
      ['Empty', []],
      ['Long', ['3']],
    ]),
  ).toEqual(['A     1', '      2', 'Long  3'])
})

test('paths are relative where they lie in the current folder', () => {
  expect(pathText('/project/out/Run.json', '/project')).toBe('out/Run.json')
  expect(pathText('/models/Fox.glb', '/project')).toBe('/models/Fox.glb')
  expect(pathText('/project', '/project')).toBe('/project')
})

test('a blended seam is told as it was before, too, and so is what was left to the program', () => {
  const clips = [{ ...sidecar.clips[0], seam: 0, blend: { seconds: 0.2, seamBefore: 0.0123 } }]
  const choices = [
    { option: 'fps', value: '24', why: '"Run" stays within 0.1%, between samples too. At 23 fps it does not.' },
    { option: 'dedupe-frames', value: '', why: '3 of 35 frames equal another one, and take no room.' },
  ]
  const text = bakeText({ ...results.bake, sidecar: { ...sidecar, clips }, choices, waste: 0.125 }, '/project').join('\n')
  expect(text).toContain('loops, seam 0 mm, before blending 12.3 mm')
  expect(text).toMatch(/^Chosen +--fps 24: "Run" stays within 0\.1%.*\n +--dedupe-frames: 3 of 35 frames equal another one, and take no room\.$/m)
  expect(text).toMatch(/12\.5 % of the texels hold nothing/)
  expect(bakeText({ ...results.bake, waste: 0.005 }, '/project').join('\n')).not.toContain('hold nothing')
})
