import { describe, expect, it } from 'vitest'
import { OPENABLE_EXTENSIONS } from '../../../main/model/model-extensions.ts'
import { describeOption, optionKeys } from '../../../renderer/bake-options/describe-option.ts'
import { optionLabel, optionUnit, tickLabel, valueLabel, wordLabel } from '../../../renderer/words/labels.ts'
import { formatName, openableEndings } from '../../../renderer/words/model-format.ts'
import { openedText } from '../../../renderer/words/recent-text.ts'
import { splitSentence } from '../../../renderer/words/split-sentence.ts'
import { vertexPlace } from '../../../renderer/words/vertex-place.ts'
import { windowWords, withoutLimitAdvice } from '../../../renderer/words/window-words.ts'

describe('sentences of the command line', () => {
  const refusal = 'a.glb has 9 bytes, and at most 5 are allowed. Thin it out, or allow more with --limit file-size=9.'

  it('name options as the window does', () => {
    expect(windowWords(refusal)).toMatch(/allow more with “Size limits” file-size=9\.$/)
    expect(windowWords('Raise --max-error or drop --fps-like words --nonsense.')).toBe('Raise “Error limit” or drop --fps-like words --nonsense.')
  })

  it('give no advice about a bake where a model cannot be opened', () => {
    expect(withoutLimitAdvice(refusal)).toBe('a.glb has 9 bytes, and at most 5 are allowed. Thin it out.')
  })
})

describe('labels', () => {
  it('are words of their own, or those of the command line', () => {
    expect(optionLabel('fps')).toBe('Frame rate')
    expect(optionLabel('guardRows')).toBe('Guard rows')
    expect(wordLabel('encoding', 'exr16')).toBe('EXR half')
    expect(wordLabel('normals', 'octahedral')).toBe('Octahedral')
    expect(tickLabel('overwrite')).toBe('Also files of another model')
    expect(optionUnit('maxSize')).toBe('px')
    expect(optionUnit('name')).toBeUndefined()
  })

  it('exist for every option and every word, each option by another one', () => {
    const labels = optionKeys.map(optionLabel)
    expect(new Set(labels).size).toBe(labels.length)
    for (const key of optionKeys) for (const word of describeOption(key).words) expect(wordLabel(key, word)).toMatch(/^[A-Z]|^glTF$/)
  })

  it('show values with their unit', () => {
    expect(valueLabel('fps', 30)).toBe('30\u00a0fps')
    expect(valueLabel('encoding', 'exr16')).toBe('EXR half')
    expect(valueLabel('maxSize', 8192)).toBe('8,192\u00a0px')
    expect(valueLabel('overwrite', false)).toBe('off')
    expect(valueLabel('start', undefined)).toBeNull()
  })
})

describe('messages', () => {
  it('are what is wrong, then what to do', () => {
    expect(splitSentence('Dragon.v2.glb is cut short: 48.2 MB promised, 12.6 found. Export it again. Then open it.')).toEqual({
      first: 'Dragon.v2.glb is cut short: 48.2 MB promised, 12.6 found.',
      rest: 'Export it again. Then open it.',
    })
    expect(splitSentence('One sentence only.')).toEqual({ first: 'One sentence only.', rest: '' })
  })

  it('name what kind of file it is by its ending', () => {
    expect(formatName('Fox.GLB')).toBe('glTF 2.0 binary')
    expect(formatName('Fox.gltf')).toBe('glTF 2.0')
    expect(formatName('Fox.fbx')).toBe('FBX')
    expect(formatName('Fox.xyz')).toBe('model')
    for (const ending of OPENABLE_EXTENSIONS) expect(formatName(`Fox.${ending}`)).not.toBe('model')
    expect(openableEndings()).toBe('.glb, .gltf, .fbx, .babylon or .obj')
  })

  it('tell when a model was opened', () => {
    const now = new Date(2026, 10, 30, 15, 0).getTime()
    expect(openedText(new Date(2026, 10, 30, 14, 2).getTime(), now)).toMatch(/^today .*02/)
    expect(openedText(new Date(2026, 10, 29, 23, 0).getTime(), now)).toBe('yesterday')
    expect(openedText(new Date(2026, 10, 27).getTime(), now)).toMatch(/27/)
    expect(openedText(new Date(2024, 10, 27).getTime(), now)).toMatch(/2024/)
  })

  it('name a vertex by the sub-mesh that it is in', () => {
    const sidecar = {
      meshes: [{ file: 'a', sha256: '', resources: [], lod: 0, indexUV: 'TEXCOORD_1', submeshes: [
        { name: 'Head', material: null, vertexCount: 100 },
        { name: 'Torso', material: null, vertexCount: 2000 },
      ] }],
      clips: [{ name: 'Run', index: 0, start: 0.5, firstRow: 0, frameCount: 10, fps: 20, duration: 0.5, loop: true, seam: 0, bounds: { min: [0, 0, 0] as [number, number, number], max: [1, 1, 1] as [number, number, number] } }],
    }
    expect(vertexPlace(sidecar, { clip: 0, frame: 5, vertex: 1535 })).toEqual({ text: 'vertex 1,435 of Torso', clip: 'Run', time: 0.75 })
    expect(vertexPlace(sidecar, { clip: 0, frame: 0, vertex: 99 }).text).toBe('vertex 99 of Head')
  })
})
