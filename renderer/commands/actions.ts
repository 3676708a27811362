import { nextTick } from 'vue'
import type { CommandId } from '../../preload/commands.ts'
import { useBakeStore } from '../stores/bake.ts'
import { useJobsStore } from '../stores/jobs.ts'
import { useModelStore } from '../stores/model.ts'
import { usePlaybackStore } from '../stores/playback.ts'
import { useResultStore } from '../stores/result.ts'
import { useStatusStore } from '../stores/status.ts'
import { useViewStore } from '../stores/view.ts'
import { vatStudio } from '../vat-studio.ts'
import { isComparable } from '../viewport/error-map.ts'
import { ERROR_MODES, type ViewMode } from '../viewport/view.ts'
import { showModel } from './show-model.ts'
import { useViewport } from './viewport-handle.ts'

/** What a command does, and whether it can. */
export interface Action {
  run(): void
  /** Always, where it is not given. */
  enabled?(): boolean
  /** Ticked in the menu. */
  checked?(): boolean
  /** Why it cannot be used now. */
  why?: string | (() => string)
}

/** What every command of the menu, the palette and the keyboard does. */
export function createActions(platform: () => string): Record<CommandId, Action> {
  const model = useModelStore()
  const bake = useBakeStore()
  const jobs = useJobsStore()
  const playback = usePlaybackStore()
  const result = useResultStore()
  const status = useStatusStore()
  const view = useViewStore()
  const viewport = useViewport()

  const hasModel = () => model.model !== null
  const hasClip = () => model.currentClip !== null
  const isBaked = () => result.files !== null
  const needsModel = { enabled: hasModel, why: 'no model is open' }
  const needsClip = { enabled: hasClip, why: 'no clip is chosen' }
  const needsBake = { enabled: isBaked, why: 'bake first' }

  const mode = (of: ViewMode): Action => ({
    run: () => (view.mode = of),
    enabled: () => hasModel() && (of === 'original' || isBaked()),
    checked: () => view.mode === of,
    why: () => (hasModel() ? 'bake first' : 'no model is open'),
  })
  const overlay = (of: keyof typeof view.overlays): Action => ({
    run: () => view.toggleOverlay(of),
    checked: () => view.overlays[of],
  })
  const theme = (of: typeof view.themeChoice): Action => ({ run: () => void view.setTheme(of), checked: () => view.themeChoice === of })

  const startBakes = () => {
    if (bake.obstacle !== null) return
    for (const { clips, frameCount } of bake.consequences) {
      void jobs.add({
        model: model.grant!,
        folder: bake.folder!,
        options: bake.optionsFor(clips),
        clips: clips.map(({ name }) => name),
        frames: frameCount,
        vertices: bake.chosenVertices,
      })
    }
  }

  return {
    'file.open': { run: () => void vatStudio().models.choose().then((file) => file && showModel(file)) },
    'file.export': {
      // The files can only be made well where they belong, so the folder is asked for first.
      run: () => void bake.chooseFolder().then(startBakes),
      enabled: () => bake.obstacle === null,
      why: 'see the bake panel',
    },
    'file.close': {
      run: () => {
        model.close()
        view.place = 'start'
      },
      ...needsModel,
    },
    'edit.palette': { run: () => (view.palette = true) },
    'edit.settings': { run: () => (view.place = 'settings') },
    'mode.original': mode('original'),
    'mode.vat': mode('vat'),
    'mode.sideBySide': mode('side-by-side'),
    'mode.overlay': mode('overlay'),
    'mode.split': mode('split'),
    'mode.crowd': mode('crowd'),
    'view.errorMap': {
      run: () => (view.errorMap = !view.errorMap),
      checked: () => view.errorMap,
      enabled: () => isBaked() && (view.mode === 'original' || ERROR_MODES.includes(view.mode)) && isComparable(result.files!.sidecar),
      why: () => {
        if (!isBaked()) return 'bake first'
        if (view.mode === 'crowd') return 'not in a crowd'
        if (view.mode === 'overlay') return 'not in the overlay, where the bake is lines: see it as VAT or side by side'
        return 'not where root motion is taken out or the end is bent: the report has its errors'
      },
    },
    'view.shading': { run: view.nextShading },
    'view.wireframe': overlay('wireframe'),
    'view.skeleton': overlay('skeleton'),
    'view.bounds': overlay('bounds'),
    'view.grid': overlay('grid'),
    'view.axes': overlay('axes'),
    'view.frame': { run: () => viewport.value?.frameModel(), ...needsModel },
    'view.frameWorst': { run: () => void frameWorst(), ...needsBake },
    'view.inspector': { run: () => (view.inspector = !view.inspector), checked: () => view.inspector },
    'theme.system': theme('system'),
    'theme.light': theme('light'),
    'theme.dark': theme('dark'),
    'play.toggle': { run: model.togglePlaying, ...needsClip },
    'play.previous': { run: () => playback.step(-1), ...needsClip },
    'play.next': { run: () => playback.step(1), ...needsClip },
    'play.start': { run: playback.toStart, ...needsClip },
    'play.end': { run: playback.toEnd, ...needsClip },
    'play.loop': { run: () => (model.repeat = !model.repeat), checked: () => model.repeat },
    'bake.start': { run: startBakes, enabled: () => bake.obstacle === null, why: 'see the bake panel' },
    'bake.cancel': {
      run: () => jobs.running && jobs.cancel(jobs.running),
      enabled: () => jobs.running?.state === 'running',
      why: 'nothing is running',
    },
    'bake.reveal': {
      run: () => void vatStudio().folders.reveal(result.job!.written!.sidecar.token),
      enabled: () => result.job !== null,
      why: 'bake first',
    },
    'bake.copyCommand': {
      run: () =>
        void vatStudio()
          .clipboard.writeText(bake.commandText(platform()))
          .then(() => status.say(bake.sets.length > 1 ? 'Commands copied' : 'Command copied', 'good')),
      enabled: () => bake.obstacle === null,
      why: 'see the bake panel',
    },
    'help.format': { run: () => void vatStudio().app.showDocumentation() },
    'help.keys': { run: () => (view.keysShown = true) },
    'help.about': { run: () => void vatStudio().app.showAbout() },
  }

  /** Shows the worst vertex at its moment. */
  async function frameWorst(): Promise<void> {
    const worst = result.sidecar?.report.position.worst
    const clip = result.sidecar?.clips[worst?.clip ?? 0]
    if (!worst || !clip) return
    if (model.clip !== clip.index) model.chooseClip(clip.index, false)
    model.seek(clip.start + worst.frame / clip.fps)
    if (view.mode === 'original') view.mode = 'side-by-side'
    // The moment has to be on its way to the viewport: the vertex is somewhere else at another one.
    await nextTick()
    viewport.value?.frameVertex(worst.vertex)
  }
}
