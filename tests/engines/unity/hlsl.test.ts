import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bake } from '../../../main/bake/bake.ts'
import { bakeOptions, type BakeOptionsInput } from '../../../main/bake/options.ts'
import { finish } from '../bake-corpus.ts'
import { describeWithEngines, engine } from '../engine.ts'

/** Files that stand in for those of Unity's two pipelines. */
const STUBS = resolve('tests/engines/unity/stubs')

/** Bakes whose shaders have all that a shader may have, and as little as it can. */
const BAKES: Record<string, [model: string, options: BakeOptionsInput]> = {
  all: ['resources/samples/Fox.glb', { anim: ['Run'], frames: 3, content: 'offset', normals: 'xyz', tangents: true }],
  little: ['tests/fixtures/models/mixed_skin_rigid_static.glb', { all: true, frames: 2, encoding: 'rgba8' }],
  packed: ['resources/samples/Fox.glb', { all: true, fps: 5, encoding: 'rgba16', normals: 'packed', orientation: 'frames-x' }],
}

/** Keywords that a material or the engine switches on together. */
const KEYWORDS = [
  [],
  ['INSTANCING_ON', '_ALPHATEST_ON', '_NORMALMAP', 'VAT_COLOR', '_CASTING_PUNCTUAL_LIGHT_SHADOW', '_GBUFFER_NORMALS_OCT'],
  ['VAT_UNLIT'],
]

interface Pass {
  pipeline: string
  name: string
  program: string
}

/** The passes of a shader, each with its program. */
function passesOf(shader: string): Pass[] {
  const [, universal, builtIn] = shader.split('SubShader {')
  return Object.entries({ universal, builtIn }).flatMap(([pipeline, text]) =>
    [...text.matchAll(/Name "(\w+)"[\s\S]*?HLSLPROGRAM\n([\s\S]*?)ENDHLSL/g)].map(([, name, program]) => ({ pipeline, name, program })),
  )
}

describeWithEngines('the shaders of a package for Unity', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hlsl-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.each(Object.keys(BAKES))('are accepted by a compiler of HLSL in every pass, for a bake with "%s"', async (name) => {
    const [model, options] = BAKES[name]
    await finish(bake(model, bakeOptions.parse({ target: 'unity', name, output: folder, ...options })))
    const into = join(folder, name)
    const passes = passesOf(await readFile(join(into, `${name}.shader`), 'utf8'))
    expect(passes.map(({ pipeline, name }) => `${pipeline} ${name}`)).toEqual([
      'universal ForwardLit', 'universal ShadowCaster', 'universal DepthOnly', 'universal DepthNormals',
      'builtIn ForwardBase', 'builtIn ForwardAdd', 'builtIn ShadowCaster',
    ])
    const files: Record<string, string[]> = { vert: [], frag: [] }
    for (const [index, { program }] of passes.entries()) {
      for (const [number, keywords] of KEYWORDS.entries()) {
        for (const stage of ['vert', 'frag']) {
          const file = join(into, `${index}_${number}.${stage}`)
          await writeFile(file, keywords.map((keyword) => `#define ${keyword}\n`).join('') + program)
          files[stage].push(file)
        }
      }
    }
    for (const [stage, list] of Object.entries(files)) {
      // One after the other in one go: what takes time is to start.
      const compile = `glslang -D -V -S ${stage} -e ${stage} "-I${STUBS}" "-I${into}" -o "$file.spv" "$file"`
      const printed = await engine('sh', ['-c', `for file in "$@"; do ${compile} || exit 1; done`, 'sh', ...list], [folder])
      expect(printed).not.toMatch(/error|warning/i)
    }
  })
})
