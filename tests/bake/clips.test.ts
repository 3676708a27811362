import { describe, expect, it } from 'vitest'
import { chooseClips } from '../../main/bake/clips.ts'
import { bakeOptions, type BakeOptionsInput } from '../../main/bake/options.ts'
import { modelOf, poseOf } from '../model/build-model.ts'

/** Chooses among clips of these names; the names and the settings that hold for each. */
function choose(names: string[], options: BakeOptionsInput) {
  const model = { ...modelOf([], poseOf({})), clips: names.map((name, index) => ({ name, index, start: 0, end: 1 })) }
  return chooseClips(model, bakeOptions.parse(options), 'Fox.glb').map(({ clip, options: { fps, frames, loop, start, end } }) => ({
    name: clip.name,
    index: clip.index,
    settings: { fps, frames, loop, start, end },
  }))
}
const names = ['Survey', 'Walk', 'Run']

describe('the clips of a bake', () => {
  it('are those that are named, in that order', () => {
    expect(choose(names, { anim: ['Run', '#0'] }).map(({ index }) => index)).toEqual([2, 0])
  })

  it('are all of them', () => {
    expect(choose(names, { all: true }).map(({ index }) => index)).toEqual([0, 1, 2])
    expect(choose(['A:loop', '', '', '#0'], { all: true }).map(({ index }) => index)).toEqual([0, 1, 2, 3])
  })

  it('are the only one where none is named', () => {
    expect(choose(['Run'], {}).map(({ name }) => name)).toEqual(['Run'])
  })

  it.each<[string, string[], BakeOptionsInput, string]>([
    ['several and none named', names, {}, 'Fox.glb has 3 clips. Choose with --anim, or bake them all with --all: "Survey", "Walk" and "Run".'],
    ['none at all', [], { all: true }, 'Fox.glb has no animation, so there is nothing to bake. Export it with its animation.'],
    ['an unknown one', names, { anim: ['Fly'] }, 'Fox.glb has no clip "Fly". It has "Survey", "Walk" and "Run".'],
    ['an unknown one with settings', names, { anim: ['Fly:loop'] }, 'Fox.glb has no clip "Fly:loop". It has "Survey", "Walk" and "Run".'],
    ['one in other letters', names, { anim: ['run:fps=60'] }, 'Fox.glb has no clip "run:fps=60". Did you mean "Run"?'],
    ['one of a number that is none', names, { anim: ['#3'] }, 'Fox.glb has no clip "#3". It has "Survey", "Walk" and "Run".'],
    ['two of one name', ['Run', 'Run'], { anim: ['Run'] }, 'Fox.glb has 2 clips named "Run". Choose one with --anim #0 or #1.'],
    ['two of one name, with settings', ['Run', 'Run'], { anim: ['Run:loop'] }, 'Fox.glb has 2 clips named "Run". Choose one with --anim #0 or #1.'],
    ['all and some', names, { all: true, anim: ['Run'] }, '--all bakes every clip of the model, so --anim cannot choose among them. Leave out one of the two.'],
  ])('are refused: %s', (_, clips, options, sentence) => {
    expect(() => choose(clips, options)).toThrow(sentence)
  })
})

describe('settings of a clip', () => {
  it.each<[string, object]>([
    ['Run:loop', { loop: 'on' }],
    ['Run:once', { loop: 'off' }],
    ['Run:loop,fps=60', { loop: 'on', fps: 60 }],
    ['Run:loop, fps=29.97', { loop: 'on', fps: 29.97 }],
    ['Run:frames=24', { frames: 24 }],
    ['Run:start=.5,end=1', { start: 0.5, end: 1 }],
    ['Run:start=-1', { start: -1 }],
    ['Run:loop=auto', { loop: 'auto' }],
    ['Run:loop=blend:0.2s', { loop: 'blend:0.2s' }],
    ['Run:loop=blend:0.2s,fps=24', { loop: 'blend:0.2s', fps: 24 }],
    ['Run:fps=24,loop=blend:0.2s', { loop: 'blend:0.2s', fps: 24 }],
    ['#2:once', { loop: 'off' }],
  ])('%s', (text, settings) => {
    const [{ name, settings: found }] = choose(names, { anim: [text] })
    const none = { fps: 30, frames: undefined, loop: 'auto', start: undefined, end: undefined }
    expect({ name, settings: found }).toEqual({ name: 'Run', settings: { ...none, ...settings } })
  })

  it('hold for that clip alone; the others have what holds for all', () => {
    const chosen = choose(names, { anim: ['Run:loop,fps=60', 'Walk'], fps: 24, loop: 'off' })
    expect(chosen.map(({ settings }) => [settings.fps, settings.loop])).toEqual([[60, 'on'], [24, 'off']])
  })

  it('count instead of what holds for all, a rate also instead of a number of frames', () => {
    expect(choose(names, { anim: ['Run:fps=60'], frames: 10 })[0].settings).toMatchObject({ fps: 60, frames: undefined })
    expect(choose(names, { anim: ['Run:frames=5'], fps: 'auto', maxError: '1%' })[0].settings).toMatchObject({ fps: 30, frames: 5 })
    expect(choose(names, { anim: ['Run:loop'], frames: 10 })[0].settings).toMatchObject({ loop: 'on', frames: 10 })
  })

  it.each([
    ['mixamo.com:Run', 'mixamo.com:Run', 'auto'],
    ['mixamo.com:Run:loop', 'mixamo.com:Run', 'on'],
    ['mixamo.com:Run:loop=blend:1s', 'mixamo.com:Run', 'blend:1s'],
    ['A:loop', 'A:loop', 'auto'],
    ['A:loop:once', 'A:loop', 'off'],
    ['A:once', 'A', 'off'],
    [':loop', '', 'on'],
    ['::loop', ':', 'on'],
  ])('stand behind names that have colons themselves: %s', (text, name, loop) => {
    const [chosen] = choose(['A', 'A:loop', 'mixamo.com:Run', '', ':'], { anim: [text] })
    expect([chosen.name, chosen.settings.loop]).toEqual([name, loop])
  })

  it.each(['Run:', 'Run:lop', 'Run:fps', 'Run:fps=', 'Run:fps=0', 'Run:fps=1e9', 'Run:fps=x', 'Run:fps=60=5', 'Run:fps=60=', 'Run:frames=1.5', 'Run:loop=blend', 'Run:loop,,once', 'Run:speed=2', 'Run:__proto__=1', 'Run:start=NaN'])(
    'that are none are refused: %s',
    (text) => {
      expect(() => choose(names, { anim: [text] })).toThrow(`--anim "${text}" has settings that are none. A clip may have loop, once, loop=blend:0.2s`)
    },
  )
})
