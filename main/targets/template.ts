/**
 * Fills in a template: each slot `{{name}}` becomes the text of that name.
 *
 * @throws Error for a slot without a text, or a text without a slot: either is a defect of ours
 */
export function fillTemplate(template: string, slots: Record<string, string>): string {
  const unused = new Set(Object.keys(slots))
  const filled = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    unused.delete(name)
    if (!(name in slots)) throw new Error(`no text for the slot ${name}`)
    return slots[name]
  })
  if (unused.size > 0) throw new Error(`no slot ${[...unused].join(', ')}`)
  return filled
}
