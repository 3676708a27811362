import { type OptionKey, optionKeys } from './describe-option.ts'

export type GroupName = 'time' | 'encoding' | 'layout' | 'output'

/** Options that stand side by side. */
export interface Row {
  options: OptionKey[]
  /** Where it is not what the first option is called. */
  label?: string
}

export interface OptionGroup {
  name: GroupName
  title: string
  rows: Row[]
}

/**
 * Where the options are that have no row in the bake panel. They are chosen from what the model holds, so a list of the model
 * is their place.
 */
export const ELSEWHERE = {
  anim: 'the ticks of the clip list',
  all: 'the ticks of the clip list',
  mesh: 'the ticks of the Meshes section',
  scale: 'the Model section, beside the size',
  frameRange: 'the row Range, in seconds',
  target: 'the first row of the panel, above the groups',
} satisfies Partial<Record<OptionKey, string>>

const row = (...options: OptionKey[]): Row => ({ options })

/** How the rows begin. Options that are not named here follow by themselves: see {@link optionGroups}. */
const BEGINNINGS: OptionGroup[] = [
  { name: 'time', title: 'Clips and time', rows: [{ options: ['start', 'end'], label: 'Range' }, row('fps', 'frames')] },
  { name: 'encoding', title: 'Encoding', rows: [row('encoding', 'content'), row('normals')] },
  { name: 'layout', title: 'Layout', rows: [row('maxSize')] },
  { name: 'output', title: 'Output', rows: [row('output'), row('name'), row('meshFormat'), row('rest'), row('maxError'), row('overwrite')] },
]

/** Options with which, in the schema's order, another group goes on. */
const GOES_ON: Partial<Record<OptionKey, GroupName>> = { orientation: 'layout', guardRows: 'layout' }

/**
 * The rows of the bake panel. An option that no row names gets one by itself, in the group of the option before it in the
 * schema, so that whatever is added there appears here.
 */
export function optionGroups(): OptionGroup[] {
  const groups = BEGINNINGS.map((group) => ({ ...group, rows: [...group.rows] }))
  const holds = ({ rows }: OptionGroup, key: OptionKey) => rows.some(({ options }) => options.includes(key))
  const groupOf = (key: OptionKey) => groups.find((group) => group.name === GOES_ON[key] || holds(group, key))
  let current = groups[0]
  for (const key of optionKeys) {
    current = groupOf(key) ?? current
    const hasPlace = key in ELSEWHERE || groups.some((group) => holds(group, key))
    if (!hasPlace) current.rows.push(row(key))
  }
  return groups
}
