/** Arrow keys move the focus between the buttons of a toolbar; radio groups, fields and sliders in it keep theirs. */
export function moveInToolbar(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const from = event.target as HTMLElement
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || from.matches('[role="radio"], input')) return
  const bar = event.currentTarget as HTMLElement
  const buttons = [...bar.querySelectorAll<HTMLElement>('button:not(:disabled)')].filter((button) => !button.matches('[role="radio"]'))
  const at = buttons.indexOf(from)
  if (at < 0) return
  event.preventDefault()
  buttons[(at + step + buttons.length) % buttons.length].focus()
}
