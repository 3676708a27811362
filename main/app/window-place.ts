import { type BrowserWindow, type BrowserWindowConstructorOptions, type Rectangle, screen } from 'electron'
import { z } from 'zod'
import { createStore } from './store.ts'

const place = z.strictObject({
  bounds: z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) }),
  maximized: z.boolean(),
})

type Place = z.output<typeof place>

export const SMALLEST = { width: 960, height: 600 }
/** What the first window shows, without its frame and menu bar. */
const FIRST = { width: 1440, height: 900 }
/** Room for them. */
const FRAME = 60

export interface PlaceKeeper {
  /** Where a new window goes, on a display that is there. */
  bounds(): BrowserWindowConstructorOptions
  /** Restores what bounds cannot say, and remembers from now on where the window is. */
  follow(window: BrowserWindow): void
}

/** Remembers where the window was. */
export function createPlaceKeeper(file: string): PlaceKeeper {
  const store = createStore<z.ZodType<Place | null>>(file, place.nullable(), null)
  return {
    bounds() {
      const saved = store.get()?.bounds
      if (!saved) {
        const { width, height } = screen.getPrimaryDisplay().workAreaSize
        return { width: Math.min(FIRST.width, width), height: Math.min(FIRST.height, height - FRAME), useContentSize: true }
      }
      const areas = screen.getAllDisplays().map((display) => display.workArea)
      return isInSight(saved, areas) ? saved : { width: saved.width, height: saved.height }
    },
    follow(window) {
      if (store.get()?.maximized) window.maximize()
      // `close` comes before the window is gone, and also when the program quits.
      window.on('close', () => store.set({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }))
    },
  }
}

/** Whether enough of a window's upper edge lies on one of the displays to take hold of it. */
export function isInSight(window: Rectangle, areas: Rectangle[]): boolean {
  const GRIP = 100
  return areas.some(
    (area) =>
      window.x + window.width - GRIP >= area.x &&
      window.x + GRIP <= area.x + area.width &&
      window.y >= area.y &&
      window.y + GRIP <= area.y + area.height,
  )
}
