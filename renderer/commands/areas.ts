/** Areas of the window in the order in which F6 goes through them. */
const AREAS = ['.topbar', '.viewbar', '.viewport', '.timeline', '.sections', '.pinned']

/** Moves the focus to the next area that is shown, or with Shift to the one before. */
export function focusNextArea(backwards: boolean): void {
  const found = AREAS.flatMap((selector) => document.querySelector<HTMLElement>(selector) ?? [])
  const areas = found.filter((area) => area.offsetParent !== null)
  if (areas.length === 0) return
  const current = areas.findIndex((area) => area.contains(document.activeElement))
  const next = current < 0 ? (backwards ? areas.length - 1 : 0) : (current + (backwards ? -1 : 1) + areas.length) % areas.length
  focusInside(areas[next])
}

function focusInside(area: HTMLElement): void {
  const first = area.querySelector<HTMLElement>('canvas[tabindex], button:not(:disabled), input:not(:disabled), [tabindex="0"]')
  ;(first ?? area).focus()
}
