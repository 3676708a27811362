import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkModelFile, modelOfCommandLine } from '../../main/app/model-files.ts'

describe('a file that is dropped', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vat-drop-'))
    writeFileSync(join(folder, 'Fox.GLB'), '')
    writeFileSync(join(folder, 'note.txt'), '')
    mkdirSync(join(folder, 'folder.glb'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('is taken where its name is that of a model', () => {
    expect(() => checkModelFile(join(folder, 'Fox.GLB'))).not.toThrow()
  })

  test.each([
    ['note.txt', /^note\.txt is no model that VAT Studio can open\. Choose a file that ends in \.glb, \.gltf,.* or \.\w+\.$/],
    ['folder.glb', 'folder.glb is not there, or is a folder. Choose a file.'],
    ['none.gltf', 'none.gltf is not there, or is a folder. Choose a file.'],
  ])('is refused with a sentence: %s', (name, sentence) => {
    expect(() => checkModelFile(join(folder, name))).toThrow(sentence)
  })

  test('is refused where it names no place on this computer', () => {
    expect(() => checkModelFile('Fox.glb')).toThrow('Fox.glb is not a file on this computer.')
  })
})

describe('the model of a command line', () => {
  const folder = resolve('/work')

  test.each([
    [['Fox.glb'], join(folder, 'Fox.glb')],
    [['open', 'models/Fox.gltf'], join(folder, 'models', 'Fox.gltf')],
    [['--allow-file-access-from-files', 'open', resolve('/far/Fox.GLB'), '--flag=x.glb'], resolve('/far/Fox.GLB')],
    [['open'], null],
    [['note.txt'], null],
    [['-x.glb'], null],
    [[], null],
  ])('%j', (words, model) => {
    expect(modelOfCommandLine(words, folder)).toBe(model)
  })
})
