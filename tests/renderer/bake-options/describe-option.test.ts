import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bakeOptions } from '../../../main/bake/options.ts'
import { defaultOptions, describeOption, faultOf, isDefault, optionKeys } from '../../../renderer/bake-options/describe-option.ts'

describe('what the schema says of an option', () => {
  it('is its sentence, default, values and limits', () => {
    expect(describeOption('fps')).toMatchObject({ default: 30, minimum: 0, exclusive: true, maximum: 10_000, whole: false, values: null })
    expect(describeOption('fps').sentence).toMatch(/^Samples a second.*\.$/)
    expect(describeOption('encoding')).toMatchObject({ default: 'exr16', values: ['rgba8', 'rgba16', 'exr16', 'exr'] })
    expect(describeOption('maxSize')).toMatchObject({ default: undefined, minimum: 16, maximum: 16_384, whole: true })
    expect(describeOption('frames')).toMatchObject({ minimum: 1, maximum: null, whole: true })
  })

  it('has a sentence for every one', () => {
    for (const key of optionKeys) expect(describeOption(key).sentence.length).toBeGreaterThan(10)
  })

  it('tells what is at its default', () => {
    const options = defaultOptions()
    for (const key of optionKeys) expect(isDefault(key, options[key])).toBe(true)
    expect(isDefault('fps', 24)).toBe(false)
    expect(isDefault('anim', ['Run'])).toBe(false)
  })

  it('names what is wrong with a value in a short sentence', () => {
    expect(faultOf('fps', 30)).toBeNull()
    expect(faultOf('fps', 0)).toBe('Above 0, at most 10,000')
    expect(faultOf('maxSize', 7)).toBe('Between 16 and 16,384')
    expect(faultOf('frames', 0)).toBe('At least 1')
    expect(faultOf('frames', 1.5)).toBe('Whole numbers only')
    expect(faultOf('name', '')).toBe('Must not be empty')
    expect(faultOf('maxError', '5')).toMatch(/^Must be a length or a share/)
  })
})

/** Options without a field of their own, and where they are set instead. */
const ELSEWHERE = {
  anim: 'the ticks of the clip list',
  mesh: 'the ticks of the Meshes section',
  frameRange: 'Range, in seconds: the same range as start and end',
}

describe('the panels', () => {
  it('have a field for every option of the schema', () => {
    const panels = resolve(import.meta.dirname, '../../../renderer/panels')
    const text = readdirSync(panels).filter((name) => name.endsWith('.vue')).map((name) => readFileSync(resolve(panels, name), 'utf8')).join('')
    const shown = [...text.matchAll(/<OptionField\s+:options="\[([^\]]*)\]"/g)].flatMap(([, list]) => [...list.matchAll(/'(\w+)'/g)].map(([, key]) => key))
    expect([...shown, ...Object.keys(ELSEWHERE)].sort()).toEqual(Object.keys(bakeOptions.shape).sort())
  })
})
