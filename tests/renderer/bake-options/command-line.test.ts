import { describe, expect, it } from 'vitest'
import { bakeFlags, bakeValues } from '../../../main/cli/flags.ts'
import { type BakeOptions, bakeOptions } from '../../../main/bake/options.ts'
import { Command } from 'commander'
import { bakeArguments, commandLine, flagArguments, quote } from '../../../renderer/bake-options/command-line.ts'

const options = (changes: Partial<BakeOptions> = {}) => bakeOptions.parse({ output: '/out', ...changes })

/** What the real command line makes of the arguments. */
function readBack(list: string[]): BakeOptions {
  const command = new Command('bake').argument('<model>').exitOverride()
  for (const flag of bakeFlags()) command.addOption(flag)
  command.parse(list.slice(1), { from: 'user' })
  return bakeOptions.parse(bakeValues(command.opts()))
}

describe('the command line of a bake', () => {
  it('holds only what differs from its default', () => {
    expect(bakeArguments('/a/Fox.glb', bakeOptions.parse({}))).toEqual(['bake', '/a/Fox.glb'])
    expect(commandLine('/a/Fox.glb', options({ anim: ['Run'], fps: 24, encoding: 'exr', overwrite: true }), 'posix')).toBe(
      'npx vat-studio bake /a/Fox.glb --anim Run --fps 24 --encoding exr -o /out --overwrite',
    )
  })

  it('is read by the real command line as the same options', () => {
    const changed: Partial<BakeOptions>[] = [
      { anim: ['Run'], fps: 23.976, start: 0.25, end: 1, loop: 'off' },
      { anim: ['#2'], frameRange: '0:24', encoding: 'rgba16', content: 'offset', normals: 'octahedral' },
      { anim: ['-dash'], start: -0.5, frames: 12, normals: 'xyz', name: '--name', maxSize: 2048, maxError: '0.1%' },
      { mesh: ['Head', 'Hand.L', 'a b'], meshFormat: 'gltf', scale: 0.01, overwrite: true, target: 'godot', loop: 'on' },
    ]
    for (const changes of changed) expect(readBack(bakeArguments('Fox.glb', options(changes)))).toEqual(options(changes))
  })

  it('has flags that stand alone, short ones, and ones with a dash in their value', () => {
    expect(flagArguments('output', 'a b')).toEqual(['-o', 'a b'])
    expect(flagArguments('overwrite', true)).toEqual(['--overwrite'])
    expect(flagArguments('overwrite', false)).toEqual([])
    expect(flagArguments('start', -1)).toEqual(['--start=-1'])
    expect(flagArguments('normals', 'xyz')).toEqual(['--normals=xyz'])
  })

  it('does not take a model for a flag', () => {
    expect(bakeArguments('-x.glb', bakeOptions.parse({}))).toEqual(['bake', './-x.glb'])
  })
})

describe('quoting', () => {
  it('leaves plain words alone', () => {
    for (const word of ['Fox.glb', '/home/mira/a-b_c.glb', '--fps', '0.1%']) expect(quote(word, 'posix')).toBe(word)
    expect(quote('C:\\Users\\mira\\Fox.glb', 'windows')).toBe('C:\\Users\\mira\\Fox.glb')
  })

  it('keeps anything else letter for letter in a POSIX shell', () => {
    expect(quote('My Fox.glb', 'posix')).toBe("'My Fox.glb'")
    expect(quote("it's $HOME `x`", 'posix')).toBe("'it'\\''s $HOME `x`'")
    expect(quote('~/x', 'posix')).toBe("'~/x'")
    expect(quote('', 'posix')).toBe("''")
    expect(quote('#2', 'posix')).toBe("'#2'")
  })

  it('follows the rules of Windows for quotation marks and backslashes', () => {
    expect(quote('C:\\My Models\\', 'windows')).toBe('"C:\\My Models\\\\"')
    expect(quote('a "b" c', 'windows')).toBe('"a \\"b\\" c"')
    expect(quote('a\\"b', 'windows')).toBe('"a\\\\\\"b"')
    expect(quote('a&b|c', 'windows')).toBe('"a&b|c"')
  })
})
