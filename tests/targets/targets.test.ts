import { describe, expect, it } from 'vitest'
import { fileSpaceOf, handednessOf } from '../../main/targets/target.ts'
import { targetFor, targetOf } from '../../main/targets/targets.ts'

describe('the mobile profile', () => {
  it.each(['agnostic', 'godot', 'unity', 'unreal'])('keeps textures of %s within 4096 pixels, and stores 16 bits as bytes', (target) => {
    expect(targetFor({ target, profile: 'mobile' })).toEqual({ ...targetOf(target), maxSize: 4096, pngBits: 8 })
    expect(targetFor({ target, profile: 'desktop' })).toBe(targetOf(target))
  })
})

describe("a project's own axes", () => {
  it('go to the textures, and to the mesh so that the importer, which mirrors what it always mirrors, puts it there', () => {
    const unity = targetFor({ target: 'unity', profile: 'desktop', axes: '-x,-z,+y' })
    expect(unity).toMatchObject({ axesFromGltf: ['-x', '-z', '+y'], up: '+Z', handedness: 'left' })
    // Unity negates X of what the file holds.
    const file = fileSpaceOf(unity, 'fbx')
    expect(file).toMatchObject({ axesFromGltf: ['+x', '-z', '+y'], up: '+Y', front: '+Z' })
    expect(handednessOf(file.axesFromGltf)).toBe(1)
    // And Unreal Y.
    const unreal = targetFor({ target: 'unreal', profile: 'desktop', axes: '-z,+x,+y' })
    expect(fileSpaceOf(unreal, 'fbx').axesFromGltf).toEqual(['-z', '-x', '+y'])
  })

  it('leave a glTF mesh in its own space', () => {
    const agnostic = targetFor({ target: 'agnostic', profile: 'desktop', axes: '+x,-z,+y' })
    expect(agnostic).toMatchObject({ axesFromGltf: ['+x', '-z', '+y'], up: '+Z', handedness: 'right' })
    expect(fileSpaceOf(agnostic, 'glb').axesFromGltf).toEqual(['+x', '+y', '+z'])
  })

  it('are refused where the engine cannot have them, with a way out', () => {
    const axes = (target: string, axes: string) => () => targetFor({ target, profile: 'desktop', axes })
    expect(axes('unity', '+x,+y,+z')).toThrow('--axes +x,+y,+z is right-handed, and unity is not. Mirror one of them, as in -x,+y,+z.')
    expect(axes('godot', '-x,+y,+z')).toThrow("--axes -x,+y,+z cannot hold for godot, whose space is glTF's own. Leave --axes out.")
  })
})
