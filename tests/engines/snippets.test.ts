import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithEngines, engine } from './engine.ts'

/** Calls every function, so that the compiler has to look at all of them. */
const CALLS: Record<string, string> = {
  glsl: `#version 450
    {{decode}}
    void main() {
      vec3 frames = vat_frames(1.0, 3.0, 30.0, true);
      gl_Position = vat_join(vec4(0.5), vec4(vat_unfold(vat_unpack(frames.x, 256.0)), 1.0)) + vat_address(vec2(0.5), vec2(8.0, 1.0)).xyxy;
    }`,
  hlsl: `{{decode}}
    float4 main() : SV_Position {
      float3 frames = vat_frames(1.0, 3.0, 30.0, true);
      return vat_join(float4(0.5, 0, 0, 0), float4(vat_unfold(vat_unpack(frames.x, 256.0)), 1.0)) + vat_address(float2(0.5, 0), float2(8.0, 1.0)).xyxy;
    }`,
}

describeWithEngines('the code that decodes a bake', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snippets-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.each(Object.keys(CALLS))('is accepted by a compiler of %s', async (language) => {
    const file = join(folder, `main.${language}`)
    await writeFile(file, CALLS[language].replace('{{decode}}', await readFile(`native-templates/agnostic/decode.${language}`, 'utf8')))
    const options = language === 'hlsl' ? ['-D', '--entry-point', 'main', '-V'] : ['-V']
    const printed = await engine('glslang', [...options, '-S', 'vert', '-o', `${file}.spv`, file], [folder])
    expect(printed).not.toMatch(/error|warning/i)
  })
})
