import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createGrants } from '../../main/app/grants.ts'

const path = join('/models', 'Fox.glb')

describe('grants', () => {
  test('stand for the paths that were given, and for no others', () => {
    const grants = createGrants()
    const grant = grants.give('model', path)
    expect(grant).toMatchObject({ kind: 'model', name: 'Fox.glb', path })
    expect(grants.take(grant.token, 'model')).toBe(grant)
    expect(() => grants.take(path, 'model')).toThrow('was not chosen in this window')
    expect(() => createGrants().take(grant.token, 'model')).toThrow('was not chosen in this window')
  })

  test('are of one kind', () => {
    const grants = createGrants()
    const folder = grants.give('folder', '/models')
    expect(() => grants.take(folder.token, 'model', 'sidecar')).toThrow('was not chosen in this window')
    expect(grants.take(folder.token, 'model', 'folder')).toBe(folder)
  })

  test('have one token a path, which is told of once', () => {
    const grants = createGrants()
    const told: string[] = []
    grants.onGive(({ token }) => told.push(token))
    const grant = grants.give('model', path)
    expect(grants.give('model', path)).toBe(grant)
    const asFolder = grants.give('folder', path)
    expect(asFolder.token).not.toBe(grant.token)
    expect(told).toEqual([grant.token, asFolder.token])
    expect(grants.all()).toEqual([grant, asFolder])
  })
})
