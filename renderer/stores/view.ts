import { defineStore } from 'pinia'
import { computed, reactive, ref, watch } from 'vue'
import type { Settings, Theme } from '../../preload/api.ts'
import type { GroupName } from '../bake-options/groups.ts'
import { vatStudio } from '../vat-studio.ts'
import {
  type CrowdOptions,
  DEFAULT_CROWD,
  DEFAULT_OVERLAYS,
  type ErrorReading,
  type FrameCost,
  type Overlays,
  type ScreenPoint,
  SHADINGS,
  type Shading,
  type ViewMode,
} from '../viewport/view.ts'

export type Place = 'start' | 'editor' | 'settings'
export type SectionName = 'model' | 'meshes' | 'materials' | 'animations' | 'bake' | GroupName | 'report'

const NARROWEST = 320
const WIDEST = 560

/** What is shown, and how. What is remembered between two starts goes through the settings' `interface`. */
export const useViewStore = defineStore('view', () => {
  const place = ref<Place>('editor')
  const theme = ref<Theme>('dark')
  const themeChoice = ref<Settings['theme']>('system')

  const mode = ref<ViewMode>('original')
  const errorMap = ref(false)
  /** Millimetres at the top of the colour ramp; null for the largest error of the clip. */
  const errorScale = ref<number | null>(null)
  const shading = ref<Shading>('lit')
  const brightness = ref(1)
  const overlays = reactive<Overlays>({ ...DEFAULT_OVERLAYS })
  const crowd = reactive<CrowdOptions>({ ...DEFAULT_CROWD })
  const split = ref(0.5)

  const inspector = ref(true)
  /** Pixels; null for the width of the design, which follows the window. */
  const inspectorWidth = ref<number | null>(null)
  const sections = reactive<Record<SectionName, boolean>>({
    model: false,
    meshes: false,
    materials: false,
    animations: true,
    bake: true,
    time: true,
    encoding: true,
    layout: false,
    output: false,
    report: false,
  })

  const palette = ref(false)
  const keysShown = ref(false)

  /** What the viewport told last. */
  const cost = ref<FrameCost | null>(null)
  const reading = ref<ErrorReading | null>(null)
  const marker = ref<ScreenPoint | null>(null)
  const viewportProblem = ref<string | null>(null)

  const isDark = computed(() => theme.value === 'dark')

  function toggleOverlay(name: keyof Overlays): void {
    overlays[name] = !overlays[name]
  }

  function nextShading(): void {
    shading.value = SHADINGS[(SHADINGS.indexOf(shading.value) + 1) % SHADINGS.length]
  }

  /** Opens or closes a section; with `others` every other one becomes as it was not, as Alt click does. */
  function toggleSection(name: SectionName, others = false): void {
    const open = !sections[name]
    sections[name] = open
    if (!others) return
    for (const other of ['model', 'meshes', 'materials', 'animations', 'report'] as const) sections[other] = open
  }

  function setInspectorWidth(pixels: number): void {
    inspectorWidth.value = Math.round(Math.min(WIDEST, Math.max(NARROWEST, pixels)))
  }

  async function setTheme(choice: Settings['theme']): Promise<void> {
    themeChoice.value = choice
    await vatStudio().settings.set({ theme: choice })
  }

  /** Takes over what was remembered. Anything that does not fit is passed over. */
  function restore(settings: Settings): void {
    themeChoice.value = settings.theme
    const kept = settings.interface
    for (const name of Object.keys(sections) as SectionName[]) {
      const open = kept[`section.${name}`]
      if (typeof open === 'boolean') sections[name] = open
    }
    for (const name of Object.keys(overlays) as (keyof Overlays)[]) {
      const on = kept[`overlay.${name}`]
      if (typeof on === 'boolean') overlays[name] = on
    }
    if (typeof kept.inspector === 'boolean') inspector.value = kept.inspector
    if (typeof kept.inspectorWidth === 'number') setInspectorWidth(kept.inspectorWidth)
    const kind = SHADINGS.find((known) => known === kept.shading)
    if (kind) shading.value = kind
  }

  /** Remembers every change from now on. */
  function remember(): void {
    const kept = computed<Settings['interface']>(() => ({
      ...Object.fromEntries(Object.entries(sections).map(([name, open]) => [`section.${name}`, open])),
      ...Object.fromEntries(Object.entries(overlays).map(([name, on]) => [`overlay.${name}`, on])),
      inspector: inspector.value,
      ...(inspectorWidth.value === null ? {} : { inspectorWidth: inspectorWidth.value }),
      shading: shading.value,
    }))
    let timer: ReturnType<typeof setTimeout> | undefined
    watch(kept, (now) => {
      clearTimeout(timer)
      timer = setTimeout(() => void vatStudio().settings.set({ interface: now }), 300)
    })
  }

  return {
    place, theme, themeChoice, isDark, mode, errorMap, errorScale, shading, brightness, overlays, crowd, split,
    inspector, inspectorWidth, sections, palette, keysShown, cost, reading, marker, viewportProblem,
    toggleOverlay, nextShading, toggleSection, setInspectorWidth, setTheme, restore, remember,
  }
})
