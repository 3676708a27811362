import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bake } from '../../../main/bake/bake.ts'
import { bakeOptions } from '../../../main/bake/options.ts'
import { finish } from '../bake-corpus.ts'

const run = promisify(execFile)
/** Files that stand in for Unity's, and a program that drives the scripts of a package as Unity would. */
const STANDINS = resolve('tests/engines/unity/csharp')

/** As with the engines: without a compiler of C# these tests are skipped with a reason, and with REQUIRE_ENGINES=1 they fail. */
function describeWithMono(name: string, tests: () => void): void {
  if (existsSync('/usr/bin/mcs') && existsSync('/usr/bin/mono')) return void describe(name, tests)
  const missing = 'there is no compiler of C#: install mono-mcs and mono-runtime'
  if (process.env.REQUIRE_ENGINES === '1') return void it(`${name}: has a compiler`, () => expect.fail(missing))
  console.warn(`${name}: skipped, ${missing}`)
  it.skip(`${name} (${missing})`)
}

describeWithMono('the scripts of a package for Unity', () => {
  let folder: string
  let lines: string[]
  const saying = (begin: string) => lines.filter((line) => line.startsWith(begin)).map((line) => line.slice(begin.length).trim())

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csharp-'))
    const options = bakeOptions.parse({ target: 'unity', all: true, frames: 11, loop: 'off', name: 'Fox "1"', encoding: 'rgba16', normals: 'xyz', output: folder })
    await finish(bake('resources/samples/Fox.glb', options))
    const [own] = await readdir(folder)
    const scripts = async (where: string) => (await readdir(where)).filter((file) => file.endsWith('.cs')).map((file) => join(where, file))
    const sources = [...(await scripts(join(folder, own))), ...(await scripts(STANDINS))]
    const program = join(folder, 'run.exe')
    const compiled = await run('mcs', ['-warn:4', '-define:UNITY_EDITOR', `-out:${program}`, ...sources])
    expect(compiled.stdout + compiled.stderr).not.toMatch(/error/)
    // As it is in a built game, without the editor.
    const players = [...sources.filter((file) => !/UnityEditor|Run\.cs/.test(file))]
    await run('mcs', ['-target:library', `-out:${join(folder, 'player.dll')}`, ...players])
    lines = (await run('mono', [program])).stdout.trim().split('\n')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('put right what is off in the settings of a texture, once and for every platform', () => {
    const [position] = saying('texture Fox _1__pos.png:')
    expect(position).toBe(
      'alphaIsTransparency=False alphaSource=FromInput filterMode=Point mipmapEnabled=False npotScale=None sRGBTexture=False ' +
      'streamingMipmaps=False textureType=Default wrapMode=Clamp',
    )
    const right = 'crunchedCompression=False format=RGBA64 maxTextureSize=2048'
    expect(saying('platform Fox _1__pos.png:')).toEqual([
      `${right} name=DefaultTexturePlatform overridden=False textureCompression=Uncompressed`,
      ...['Standalone', 'Android', 'iPhone', 'WebGL', 'Server'].map((name) => `${right} name=${name} overridden=True textureCompression=Uncompressed`),
    ])
    expect(saying('again')).toEqual(['Fox _1__pos.png False', 'Fox _1__nrm.png False', 'Fox _1__mesh_image.png False'])
  })

  it('leave an image its colours, and files of others alone', () => {
    expect(saying('texture Fox _1__mesh_image.png:')[0]).toContain('mipmapEnabled=True npotScale=ToNearest sRGBTexture=True')
    expect(saying('other')).toEqual(['sRGB True'])
  })

  it('put right what is off in the settings of the mesh', () => {
    expect(saying('model:')).toEqual([
      'animationType=None bakeAxisConversion=False generateSecondaryUV=False globalScale=1 importAnimation=False importBlendShapes=False ' +
      'importNormals=Import importTangents=CalculateMikk isReadable=True keepQuads=False materialImportMode=None meshCompression=Off ' +
      'meshOptimizationFlags=0 swapUVChannels=False useFileScale=True weldVertices=False',
    ])
  })

  it('say what is missing, and make material and prefab as soon as it is there', () => {
    expect(saying('error:')).toEqual([
      'Assets/VAT/Made/Fox _1__mesh.fbx is not imported, so nothing can be made of it. Put back the whole folder of the bake.',
    ])
    expect(saying('material')).toEqual(['Assets/VAT/Made/Fox _1_.mat queue 2000 instancing True'])
    expect(saying('set')).toEqual(expect.arrayContaining([
      '_BaseMap = Fox _1__mesh_image.png', '_BaseMap scale = (1, 1)', '_Metallic = 0', '_Roughness = 0.58',
      '_VatNormal = Fox _1__nrm.png', '_VatPosition = Fox _1__pos.png', '_Cull = 2', '_ZWrite = 1',
    ]))
    expect(saying('prefab')).toEqual(['Fox _1_ 1'])
  })

  it('play a clip, fade to another, and say when it is over', () => {
    // (clip, seconds, –, –) (next clip, its seconds, how much of it, manual)
    expect(saying('awake')).toEqual(['(0, 0, 0, 0) (0, 0, 0, 1)'])
    expect(saying('after a quarter')).toEqual(['(0, 0.25, 0, 0) (0, 0, 0, 1)'])
    expect(saying('half way through a fade')).toEqual(['(0, 0.5, 0, 0) (1, 0.25, 0.5, 1)'])
    expect(saying('after the fade')).toEqual(['(1, 0.5, 0, 0) (1, 0.5, 0, 1)'])
    expect(saying('after ten seconds')).toEqual(['(1, 0.7083333, 0, 0) (1, 0.5, 0, 1)'])
    expect(lines.filter((line) => line === 'finished')).toHaveLength(1)
  })

  it('give the renderer bounds that hold every frame', () => {
    const [, ...size] = saying('bounds')[0].match(/\(([^)]+)\) \(([^,]+), ([^,]+), ([^)]+)\)/)!
    expect(size.slice(1).map(Number).every((side) => side > 50)).toBe(true)
  })
})
