import { describe, expect, it } from 'vitest'
import { defaultOptions, describeOption, faultOf, isDefault, optionKeys } from '../../../renderer/bake-options/describe-option.ts'

describe('what the schema says of an option', () => {
  it('is its sentence, its default, and what it may be', () => {
    expect(describeOption('maxSize')).toMatchObject({ default: undefined, number: { minimum: 16, maximum: 16_384, whole: true }, words: [], text: false })
    expect(describeOption('frames').number).toEqual({ minimum: 1, exclusive: false, maximum: null, whole: true })
    expect(describeOption('content')).toMatchObject({ default: 'position', words: ['position', 'offset'], number: null, text: false })
    expect(describeOption('overwrite')).toMatchObject({ default: false, onOff: true, words: [] })
    expect(describeOption('mesh')).toMatchObject({ default: [], list: true })
    expect(describeOption('name')).toMatchObject({ default: undefined, text: true, words: [] })
    expect(describeOption('fps').sentence).toMatch(/^Samples a second.*\.$/)
  })

  it('is told where it may be of several kinds', () => {
    expect(describeOption('fps')).toMatchObject({ default: 30, number: { minimum: 0, exclusive: true, maximum: 10_000, whole: false }, words: ['auto'] })
    expect(describeOption('loop')).toMatchObject({ default: 'auto', words: ['auto', 'on', 'off'], text: true })
    expect(describeOption('encoding').words).toEqual(['rgba8', 'rgba16', 'exr16', 'exr', 'auto'])
  })

  it('lets every option have a control', () => {
    for (const key of optionKeys) {
      const { sentence, words, number, text, onOff, list } = describeOption(key)
      expect(sentence.length, key).toBeGreaterThan(10)
      expect(words.length > 0 || number !== null || text || onOff || list, key).toBe(true)
    }
  })

  it('tells what is at its default', () => {
    const options = defaultOptions()
    for (const key of optionKeys) expect(isDefault(key, options[key])).toBe(true)
    expect(isDefault('fps', 24)).toBe(false)
    expect(isDefault('anim', ['Run'])).toBe(false)
  })

  it('names what is wrong with a value in a short sentence', () => {
    expect(faultOf('fps', 30)).toBeNull()
    expect(faultOf('fps', 'auto')).toBeNull()
    expect(faultOf('fps', 0)).toBe('Above 0, at most 10,000')
    expect(faultOf('maxSize', 7)).toBe('Between 16 and 16,384')
    expect(faultOf('frames', 0)).toBe('At least 1')
    expect(faultOf('frames', 1.5)).toBe('Whole numbers only')
    expect(faultOf('name', '')).toBe('Must not be empty')
    expect(faultOf('maxError', '5')).toMatch(/^Must be a length or a share/)
    expect(faultOf('loop', 'sometimes')).toMatch(/^Must be auto, on, off or a time/)
  })
})
