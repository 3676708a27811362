import type { CreatePackage, PackagedSet, Templates } from './target.ts'
import { fillTemplate } from './template.ts'

/** What can go with a bake for any target: a player, or code that decodes it in a language. */
export type Player = 'three' | 'babylon' | 'glsl' | 'hlsl' | 'wgsl'

const SHARED = ['agnostic/decode.glsl', 'web/read-vat.js', 'web/playback.js']

/** A module of JavaScript that plays the bake in an engine of the web. */
function webPlayer(engine: 'three' | 'babylon'): CreatePackage {
  const template = `web/vat-${engine}.js`
  return {
    templates: [...SHARED, template],
    create({ name }: PackagedSet, templates: Templates) {
      const file = `${name}_${engine}.js`
      const inComment = (text: string) => text.replace(/[\r\n]/g, ' ')
      const player = fillTemplate(templates[template], { name: inComment(name), file: inComment(file), sidecar: `${inComment(name)}.json` })
      const reader = fillTemplate(templates['web/read-vat.js'], { decode: templates['agnostic/decode.glsl'] })
      return [{ file, text: `${player}\n${templates['web/playback.js']}\n${reader}` }]
    },
  }
}

/** Functions that decode, and the page that says how to use them. */
function snippet(language: 'glsl' | 'hlsl' | 'wgsl'): CreatePackage {
  const template = `agnostic/decode.${language}`
  return {
    templates: [template, 'agnostic/README.md'],
    create: ({ name }, templates) => [
      { file: `${name}_decode.${language}`, text: templates[template] },
      { file: `${name}_decode.md`, text: templates['agnostic/README.md'] },
    ],
  }
}

/** The files of each player. */
export const players: Record<Player, CreatePackage> = {
  three: webPlayer('three'),
  babylon: webPlayer('babylon'),
  glsl: snippet('glsl'),
  hlsl: snippet('hlsl'),
  wgsl: snippet('wgsl'),
}
