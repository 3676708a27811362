import { Color3, Color4, Material, Matrix, type Mesh, SceneInstrumentation, Vector3 } from 'babylonjs'
import type { AnimatedModel, Clip, Pose } from '../../main/model/animated-model.ts'
import type { Box } from '../../main/model/box.ts'
import type { BakePreview, ModelPreview } from '../../main/worker/preview-contract.ts'
import { layOutCrowd } from './crowd.ts'
import { createErrorMap, type ErrorMap, isComparable } from './error-map.ts'
import { createGroundShadow, type GroundShadow } from './ground-shadow.ts'
import { gridStep } from './grid-step.ts'
import { createBoxLines, createGrid, createSkeleton, type GuideColours, placeBox, type Skeleton } from './guides.ts'
import { modelFacade } from './model-facade.ts'
import { createOriginal, type Original } from './original.ts'
import { playheadAt } from './playhead.ts'
import type { PreviewClient } from './preview-client.ts'
import { createStage, LAYERS, type Panes } from './scene.ts'
import { type SurfaceLook, SurfacePlugin } from './surface-plugin.ts'
import { createVatPlayer, type VatPlayer } from './vat-player.ts'
import {
  type CrowdOptions,
  ERROR_MODES,
  type ErrorReading,
  type FrameCost,
  NEGLIGIBLE_MILLIMETRES,
  type Overlays,
  type ScreenPoint,
  type Shading,
  type ViewMode,
} from './view.ts'
import { createWire, type Wire } from './wire.ts'

/** Everything that the viewport is told; see Viewport.vue for what each means. */
export interface ViewportState {
  client: PreviewClient | null
  model: ModelPreview | null
  bake: BakePreview | null
  mode: ViewMode
  clip: number | null
  time: number
  playing: boolean
  speed: number
  repeat: boolean
  range: [number, number] | null
  shading: Shading
  brightness: number
  overlays: Overlays
  errorMap: boolean
  errorScale: number | null
  crowd: CrowdOptions
  split: number
  theme: string
}

/** What the viewport tells. */
export interface ViewportEvents {
  time(seconds: number): void
  playing(playing: boolean): void
  displayed(shown: { time: number }): void
  error(reading: ErrorReading): void
  cost(cost: FrameCost): void
  marker(point: ScreenPoint | null): void
  problem(sentence: string): void
  grid(step: number): void
  /** Directions of the x, y and z axis on the screen, `[axis][right, up, towards the viewer]`. */
  axes(directions: [number, number, number][]): void
}

export interface CapturedFrame {
  width: number
  height: number
  /** RGBA, row 0 at the top. */
  pixels: Uint8Array
}

export type Direction = '+x' | '-x' | '+y' | '-y' | '+z' | '-z'

export interface ViewportView {
  gpu: { renderer: string; maxTextureSize: number }
  set(changes: Partial<ViewportState>): void
  /** Settles when model and bake are on the screen. */
  loaded(): Promise<void>
  frameModel(): void
  frameVertex(vertex: number | null): void
  look(direction: Direction): void
  orbit(right: number, up: number): void
  pan(right: number, up: number): void
  zoom(factor: number): void
  resize(): void
  captureFrame(time: number, mode: ViewMode): Promise<CapturedFrame>
  dispose(): void
}

/** Frames that the cost is the mean of. */
const COST_FRAMES = 60
const COST_INTERVAL = 250
/** Of a crowd, the instances in the middle are framed: of all of them one could see none. */
const NEAR_CROWD = 49

interface ShownModel {
  preview: ModelPreview
  facade: AnimatedModel
  original: Original
  /** Where its vertices are; at rest before the first pose. Moving them all is dear. */
  pose: Pose | null
  wire: Wire | null
  shadow: GroundShadow | null
  skeleton: Skeleton | null
}

interface ShownBake {
  preview: BakePreview
  player: VatPlayer
  wire: Wire | null
  shadow: GroundShadow | null
  errors: ErrorMap | null
}

/**
 * What is on the screen, and when: loads what it is given, asks for the poses that are needed, and keeps original and VAT at
 * the same moment.
 *
 * @throws Problem `limit` where the browser has no WebGL 2
 */
export function createViewport(canvas: HTMLCanvasElement, initial: ViewportState, events: ViewportEvents): ViewportView {
  const stage = createStage(canvas)
  const { scene, engine, camera } = stage
  const instrumentation = new SceneInstrumentation(scene)
  const state = { ...initial }
  const look: SurfaceLook = { shading: state.shading, errorScale: null }

  let shown: ShownModel | null = null
  let baked: ShownBake | null = null
  let loading: Promise<void> = Promise.resolve()
  let colours = readColours(canvas)
  let grid = createGrid(scene, 1, colours)
  let boxLines = createBoxLines(scene, colours.bounds)
  boxLines.setEnabled(false)

  /** The pose that arrived last. */
  let posed: { clip: number | null; time: number; pose: Pose } | null = null
  let asking = false
  /** What the service refused; it is not asked again for the same. */
  let refused = ''
  let lastFrame: number | null = null
  let displayedTime = NaN
  let crowdSeconds = 0
  let markedVertex: number | null = null
  let marker = ''
  let axes = ''

  const clipNow = (): Clip | null => (state.clip === null ? null : (shown?.preview.clips[state.clip] ?? null))
  const vatClip = (): number => baked?.preview.sidecar.clips.findIndex((clip) => clip.index === state.clip) ?? -1
  /** The mode that can be shown with what is there. */
  const modeNow = (): ViewMode => (vatClip() < 0 ? 'original' : state.mode)
  const showsOriginal = () => !['vat', 'crowd'].includes(modeNow())
  const showsVat = () => modeNow() !== 'original'
  const hasErrors = () => baked?.errors != null && isComparable(baked.preview.sidecar) && vatClip() >= 0
  const showsErrors = () => state.errorMap && hasErrors() && ERROR_MODES.includes(modeNow())
  const needsPose = () => shown !== null && (showsOriginal() || state.overlays.skeleton || showsErrors())

  // What is loaded ---------------------------------------------------------------------------------------------------------

  /** Each in a task of its own: what tells of a model or a bake is not to be held up by the one before it being put away. */
  function load(work: () => Promise<void>): void {
    loading = loading.then(nextTask).then(work).catch((error: unknown) => {
      events.problem(error instanceof Error ? error.message : String(error))
    })
  }

  async function loadModel(preview: ModelPreview | null): Promise<void> {
    if (preview !== state.model) return
    disposeBake()
    disposeModel()
    if (!preview || preview.meshes.length === 0) return stage.invalidate()
    const facade = modelFacade(preview)
    const original = await createOriginal(preview, facade, scene)
    dress(original.meshes, LAYERS.original)
    if (original.texturesLeftOut) {
      events.problem(`${preview.file} is shown without its textures: one of them cannot be decoded here. Baking works all the same.`)
    }
    const shadow = standsOnGround(original.bounds) ? createGroundShadow(scene, original.meshes, stage.sunlight, null, null) : null
    shown = { preview, facade, original, pose: null, wire: null, shadow, skeleton: createSkeleton(scene, preview, colours.bone) }
    rebuildGrid()
    stage.frame(original.bounds, true)
    apply()
  }

  async function loadBake(preview: BakePreview | null): Promise<void> {
    if (preview !== state.bake) return
    disposeBake()
    if (preview && shown) {
      const player = await createVatPlayer(preview, scene)
      dress(player.meshes, LAYERS.vat)
      const { sidecar } = preview
      const isOfModel = sidecar.source.meshes.every((index) => shown!.preview.meshes[index])
      const shadow = shown.shadow && createGroundShadow(scene, player.meshes, stage.sunlight, player.space, player.playback)
      baked = { preview, player, wire: null, shadow, errors: isOfModel ? createErrorMap(shown.facade, preview) : null }
      layOutInstances()
    }
    apply()
  }

  /** What all meshes share, whatever moves them. */
  function dress(meshes: Mesh[], layer: number): void {
    for (const mesh of meshes) {
      mesh.layerMask = layer
      mesh.isPickable = false
    }
    for (const material of new Set(meshes.map((mesh) => mesh.material))) if (material) new SurfacePlugin(material, look)
  }

  function disposeModel(): void {
    shown?.wire?.dispose()
    shown?.shadow?.dispose()
    shown?.skeleton?.mesh.dispose(false, true)
    shown?.original.dispose()
    shown = null
    posed = null
  }

  function disposeBake(): void {
    baked?.wire?.dispose()
    baked?.shadow?.dispose()
    baked?.player.dispose()
    baked = null
    markedVertex = null
  }

  // What is set ------------------------------------------------------------------------------------------------------------

  /** While a frame is captured: what it needs, and what the window wants of those once it is done. */
  let held: { captured: Partial<ViewportState>; wanted: Partial<ViewportState> } | null = null

  function set(wanted: Partial<ViewportState>): void {
    if (!held) return change(wanted)
    const { captured } = held
    Object.assign(held.wanted, Object.fromEntries(Object.entries(wanted).filter(([key]) => key in captured)))
    change({ ...wanted, ...captured })
  }

  function change(changes: Partial<ViewportState>): void {
    const before = { ...state }
    Object.assign(state, changes)
    const changed = (key: keyof ViewportState) => state[key] !== before[key]
    if (changed('model')) load(() => loadModel(state.model))
    if (changed('bake') || (changed('model') && state.bake)) load(() => loadBake(state.bake))
    if (changed('theme')) {
      colours = readColours(canvas)
      boxLines.dispose(false, true)
      boxLines = createBoxLines(scene, colours.bounds)
      rebuildGrid()
    }
    if (changed('brightness')) stage.setBrightness(state.brightness)
    if (changed('time') || changed('clip')) crowdSeconds = state.time - (clipNow()?.start ?? 0)
    if (changed('playing')) lastFrame = null
    if (changed('mode') || changed('crowd') || changed('bake')) history.length = 0
    if (changed('crowd') || changed('mode') || changed('clip')) layOutInstances()
    // A clock that runs changes nothing else.
    if (Object.keys(changes).every((key) => key === 'time' || key === 'playing')) {
      // The colours of the error map are those of a sample, or of all moments.
      if (changed('playing')) showPose()
      stage.invalidate()
    } else apply()
  }

  /** Brings the scene in line with the state. */
  function apply(): void {
    const mode = modeNow()
    const panes: Panes =
      mode === 'side-by-side'
        ? { kind: 'beside' }
        : mode === 'split'
          ? { kind: 'split', at: state.split }
          : { kind: 'one', layers: LAYERS.shared | (showsOriginal() ? LAYERS.original : 0) | (showsVat() ? LAYERS.vat : 0) }
    stage.setPanes(panes)

    grid.setEnabled(state.overlays.grid)
    boxLines.setEnabled(state.overlays.bounds && shown !== null && mode !== 'crowd')
    shown?.skeleton?.mesh.setEnabled(state.overlays.skeleton && mode !== 'crowd')

    const overlaid = mode === 'overlay'
    // Whatever shows the ground shows the shadow on it; a crowd is dear enough without.
    shown?.shadow?.setEnabled(state.overlays.grid && showsOriginal())
    baked?.shadow?.setEnabled(state.overlays.grid && showsVat() && !overlaid && mode !== 'crowd')
    if (shown) {
      const lines = state.overlays.wireframe && showsOriginal() && !overlaid
      if (lines) shown.wire ??= createWire(scene, shown.original.meshes, colours.wire, null)
      shown.wire?.setEnabled(lines)
      setBack(shown.original.meshes, lines || overlaid)
    }
    if (baked) {
      const lines = overlaid || (state.overlays.wireframe && showsVat() && mode !== 'crowd')
      if (lines) baked.wire ??= createWire(scene, baked.player.meshes, colours.wire, baked.player.playback)
      baked.wire?.setColour(overlaid ? colours.accent : colours.wire)
      baked.wire?.setEnabled(lines)
      setBack(baked.player.meshes, lines)
      // Both surfaces in one place would fight for each pixel: the original keeps its surface, the bake shows its edges.
      for (const mesh of baked.player.meshes) mesh.isVisible = showsVat() && !overlaid
    }

    look.shading = state.shading
    look.errorScale = showsErrors() ? errorScale() : null
    for (const material of scene.materials) material.markAsDirty(Material.AllDirtyFlag)
    showPose()
    stage.invalidate()
  }

  /** Surfaces give way to lines that lie in them. */
  function setBack(meshes: Mesh[], back: boolean): void {
    for (const mesh of meshes) if (mesh.material) mesh.material.zOffset = back ? 1 : 0
  }

  /** The largest error at the samples while one stands still on the screen, else the largest anywhere. */
  function errorScale(): number {
    if (state.errorScale !== null) return state.errorScale
    const { clips, report } = baked!.preview.sidecar
    const { maxMillimetres, betweenSamples } = report.position.clips[vatClip()]
    const { blend } = playheadAt(clips[vatClip()], (posed?.time ?? state.time) - vatStart())
    const isSample = !state.playing && Math.min(blend, 1 - blend) < 1e-3
    return Math.max(maxMillimetres, isSample ? 0 : betweenSamples.maxMillimetres, NEGLIGIBLE_MILLIMETRES)
  }

  function layOutInstances(): void {
    if (!baked) return
    const bounds = bakeBounds()
    baked.player.setCrowd(modeNow() === 'crowd' ? layOutCrowd(state.crowd, baked.preview.sidecar, bounds) : null)
  }

  /** The box around the bake in all frames, in the model's space. */
  function bakeBounds(): Box {
    return toModelBox(baked!.player, baked!.preview.sidecar.bounds)
  }

  function rebuildGrid(): void {
    const step = shown ? gridStep(shown.original.bounds) : 1
    grid.dispose(false, true)
    grid = createGrid(scene, step, colours)
    grid.setEnabled(state.overlays.grid)
    events.grid(step)
  }

  // What is played ---------------------------------------------------------------------------------------------------------

  function advance(now: number): void {
    const elapsed = lastFrame === null ? 0 : Math.min((now - lastFrame) / 1000, 0.25) * state.speed
    lastFrame = now
    const clip = clipNow()
    if (!clip) return
    crowdSeconds += elapsed
    const [from, to] = state.range ?? [clip.start, clip.end]
    const length = to - from
    let time = state.time + elapsed
    if (time >= to || time < from) {
      if (state.repeat && length > 0) {
        time = from + (time - from) - Math.floor((time - from) / length) * length
      } else {
        time = Math.min(Math.max(time, from), to)
        state.playing = false
        events.playing(false)
      }
    }
    if (time === state.time) return
    state.time = time
    events.time(time)
  }

  /** One request at a time; what was wanted meanwhile is asked for when it is answered. */
  function askForPose(): void {
    if (asking || !shown || !state.client) return
    const { preview } = shown
    const { clip, time, client } = state
    const wanted = `${preview.handle} ${clip} ${time}`
    if (wanted === refused) return
    asking = true
    client
      .ask('pose', { model: preview.handle, clip, time })
      .then(
        (pose) => {
          if (shown?.preview !== preview) return
          posed = { clip, time, pose }
          showPose()
          if (framing) frameShown()
        },
        (error: Error) => {
          // Another model is on its way, so this one was closed.
          if (state.model !== preview) return
          refused = wanted
          if (framing) frameShown()
          state.playing = false
          events.playing(false)
          events.problem(error.message)
        },
      )
      .finally(() => {
        asking = false
        stage.invalidate()
      })
  }

  /** Where things are is to be framed as soon as the pose of this moment is there. */
  let framing = false

  const isPosed = () => posed !== null && posed.clip === state.clip && posed.time === state.time

  /** Shows the pose that is there, where it is one of the clip that is wanted. */
  function showPose(): void {
    if (!shown || !posed || posed.clip !== state.clip) return
    if (showsOriginal() && shown.pose !== posed.pose) shown.original.show((shown.pose = posed.pose))
    if (state.overlays.skeleton) shown.skeleton?.show(posed.pose)
    if (!showsErrors()) return
    const { errors, player } = baked!
    const reading = errors!.measure(vatClip(), posed.time - vatStart(), posed.pose)
    player.setErrors(errors!.millimetres)
    look.errorScale = errorScale()
    events.error({ ...reading, scaleMillimetres: look.errorScale })
  }

  const vatStart = () => baked!.preview.sidecar.clips[vatClip()].start

  stage.onFrame = (now) => {
    if (state.playing) advance(now)
    if (needsPose() && !isPosed()) askForPose()
    const time = needsPose() && posed?.clip === state.clip ? posed.time : state.time
    if (baked && vatClip() >= 0) {
      baked.player.show(vatClip(), time - vatStart())
      baked.player.showCrowd(crowdSeconds)
    }
    if (state.overlays.bounds && shown) {
      const clip = baked?.preview.sidecar.clips[vatClip()]
      // Where the bake moves the model elsewhere, its box is not the original's.
      const isOfBake = clip && (!showsOriginal() || isComparable(baked!.preview.sidecar))
      placeBox(boxLines, isOfBake ? toModelBox(baked!.player, clip.bounds) : shown.original.bounds)
    }
    if (time !== displayedTime) {
      displayedTime = time
      events.displayed({ time })
    }
    return state.playing
  }

  // What it costs, and where things are ---------------------------------------------------------------------------------------

  const history: { frame: number; work: number }[] = []
  /** When the last frame was drawn; null where nothing was to follow it. */
  let lastDrawn: number | null = null
  let lastTold = 0

  stage.onDrawn = (now, work, more) => {
    tellPlaces()
    if (lastDrawn !== null) {
      history.push({ frame: now - lastDrawn, work })
      if (history.length > COST_FRAMES) history.shift()
    }
    lastDrawn = more ? now : null
    if (now - lastTold < COST_INTERVAL || history.length === 0) return
    lastTold = now
    const mean = (of: (entry: (typeof history)[number]) => number) => history.reduce((sum, entry) => sum + of(entry), 0) / history.length
    const instances = modeNow() === 'crowd' ? Math.round(state.crowd.count) : 1
    events.cost({
      frameMilliseconds: mean(({ frame }) => frame),
      workMilliseconds: mean(({ work }) => work),
      history: history.map(({ frame }) => frame),
      drawCalls: instrumentation.drawCallsCounter.current,
      vertices: (showsOriginal() ? (shown?.original.vertexCount ?? 0) : 0) + (showsVat() ? baked!.player.vertexCount * instances : 0),
      textureBytes: baked?.player.textureBytes ?? 0,
    })
  }

  function tellPlaces(): void {
    const view = camera.getViewMatrix().m
    const directions = [0, 1, 2].map((axis): [number, number, number] => [view[axis * 4], view[axis * 4 + 1], view[axis * 4 + 2]])
    const axesNow = directions.join()
    if (axesNow !== axes) {
      axes = axesNow
      events.axes(directions)
    }
    const point = markedPoint()
    const markerNow = point ? `${point.x},${point.y}` : ''
    if (markerNow === marker) return
    marker = markerNow
    events.marker(point)
  }

  /** Brings into sight what is shown. */
  function frameShown(): void {
    framing = false
    if (!shown) return
    const near = { ...state.crowd, count: Math.min(state.crowd.count, NEAR_CROWD) }
    if (modeNow() === 'crowd') stage.frame(layOutCrowd(near, baked!.preview.sidecar, bakeBounds()).bounds)
    else stage.frame(showsOriginal() ? shown.original.bounds : bakeBounds())
  }

  /** Where a vertex of the VAT is at a time, in the model's space. */
  function vertexPosition(vertex: number, time: number): Vector3 | null {
    if (!baked?.errors || vatClip() < 0 || vertex >= baked.player.vertexCount) return null
    return baked.player.toModel(baked.errors.positionAt(vatClip(), time - vatStart(), vertex))
  }

  /** Where the marked vertex of the VAT is in the canvas, CSS pixels. */
  function markedPoint(): ScreenPoint | null {
    const position = markedVertex === null || !showsVat() || modeNow() === 'crowd' ? null : vertexPosition(markedVertex, displayedTime)
    if (!position) return null
    const pane = scene.activeCameras!.at(-1)!
    const matrix = pane.getViewMatrix().multiply(pane.getProjectionMatrix())
    const [width, height] = [canvas.clientWidth, canvas.clientHeight]
    const screen = Vector3.Project(position, Matrix.IdentityReadOnly, matrix, pane.viewport.toGlobal(width, height))
    const { x: left, width: share } = pane.viewport
    const inside = screen.x >= left * width && screen.x <= (left + share) * width && screen.y >= 0 && screen.y <= height && screen.z <= 1
    return inside ? { x: screen.x, y: screen.y } : null
  }

  // What is asked for ---------------------------------------------------------------------------------------------------------

  /** Each holds what it needs, so they follow one another. */
  let capturing: Promise<unknown> = Promise.resolve()
  function captureFrame(time: number, mode: ViewMode): Promise<CapturedFrame> {
    const frame = capturing.then(() => capture(time, mode))
    capturing = frame.catch(() => {})
    return frame
  }

  async function capture(time: number, mode: ViewMode): Promise<CapturedFrame> {
    await loading
    const { client, clip, time: timeBefore, mode: modeBefore, playing, overlays, errorMap } = state
    const bare: Overlays = { wireframe: false, skeleton: false, bounds: false, grid: false, axes: false }
    const captured = { clip, time, mode, playing: false, overlays: bare, errorMap: false }
    // What the window sets while the pose is awaited is not to be in the picture, and not to be lost either.
    const holding = (held = { captured, wanted: { clip, time: timeBefore, mode: modeBefore, playing, overlays, errorMap } })
    change(captured)
    try {
      if (needsPose() && !isPosed()) {
        const pose = await client!.ask('pose', { model: shown!.preview.handle, clip, time })
        posed = { clip, time, pose }
      }
      showPose()
      await scene.whenReadyAsync()
      stage.onFrame(performance.now())
      stage.draw()
      const [width, height] = [engine.getRenderWidth(), engine.getRenderHeight()]
      const pixels = new Uint8Array((await engine.readPixels(0, 0, width, height)).buffer)
      return { width, height, pixels: turnOver(pixels, width * 4) }
    } finally {
      held = null
      change(holding.wanted)
    }
  }

  const directions: Record<Direction, [alpha: number, beta: number]> = {
    '+x': [0, Math.PI / 2],
    '-x': [Math.PI, Math.PI / 2],
    '+z': [Math.PI / 2, Math.PI / 2],
    '-z': [-Math.PI / 2, Math.PI / 2],
    '+y': [Math.PI / 2, 0.01],
    '-y': [Math.PI / 2, Math.PI - 0.01],
  }

  stage.setBrightness(state.brightness)
  if (state.model) load(() => loadModel(state.model))
  if (state.bake) load(() => loadBake(state.bake))
  apply()

  return {
    gpu: { renderer: engine.getGlInfo().renderer, maxTextureSize: engine.getCaps().maxTextureSize },
    set,
    async loaded() {
      let current
      do await (current = loading)
      while (current !== loading)
      await scene.whenReadyAsync()
    },
    frameModel() {
      // The original is where its pose has it: one of an earlier moment would be framed where it no longer is.
      framing = showsOriginal() && !isPosed() && state.client !== null
      if (framing) stage.invalidate()
      else frameShown()
    },
    frameVertex(vertex) {
      markedVertex = vertex
      const position = vertex === null ? null : vertexPosition(vertex, state.time)
      if (position && shown) {
        const { min, max } = shown.original.bounds
        const reach = Math.hypot(...[0, 1, 2].map((axis) => max[axis] - min[axis])) * 0.06
        const { x, y, z } = position
        stage.frame({ min: [x - reach, y - reach, z - reach], max: [x + reach, y + reach, z + reach] })
      }
      stage.invalidate()
    },
    look: (direction) => stage.lookFrom(...directions[direction]),
    orbit: stage.orbit,
    pan: stage.pan,
    zoom: stage.zoom,
    resize() {
      engine.resize()
      // At once: a canvas that was resized is empty until it is drawn.
      stage.draw()
      stage.invalidate()
    },
    captureFrame,
    dispose() {
      disposeBake()
      disposeModel()
      stage.dispose()
    },
  }
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))

/** Whether a model at rest is above the ground, but for a toe. */
function standsOnGround({ min, max }: Box): boolean {
  return min[1] > -0.05 * (max[1] - min[1])
}

function toModelBox(player: VatPlayer, { min, max }: Box): Box {
  const a = player.toModel(min)
  const b = player.toModel(max)
  return {
    min: [Math.min(a.x, b.x), Math.min(a.y, b.y), Math.min(a.z, b.z)],
    max: [Math.max(a.x, b.x), Math.max(a.y, b.y), Math.max(a.z, b.z)],
  }
}

/** Rows in the opposite order: OpenGL begins at the bottom. */
function turnOver(pixels: Uint8Array, rowBytes: number): Uint8Array {
  const turned = new Uint8Array(pixels.length)
  for (let at = 0; at < pixels.length; at += rowBytes) turned.set(pixels.subarray(at, at + rowBytes), pixels.length - at - rowBytes)
  return turned
}

/** The theme's colours, from the styles of the canvas. */
function readColours(canvas: HTMLCanvasElement): GuideColours & { wire: Color3; accent: Color3 } {
  const style = getComputedStyle(canvas)
  const colour = (name: string, fallback: string) => {
    const value = style.getPropertyValue(name).trim()
    return Color3.FromHexString(/^#[0-9a-f]{6}$/i.test(value) ? value : fallback)
  }
  const solid = (colour: Color3, alpha = 1) => Color4.FromColor3(colour, alpha)
  return {
    grid: solid(colour('--line-strong', '#7d828e'), 0.55),
    x: solid(colour('--axis-x', '#e0626a'), 0.9),
    z: solid(colour('--axis-z', '#5b8def'), 0.9),
    bounds: solid(colour('--accent-line', '#6f8cff')),
    bone: solid(colour('--axis-y', '#6fbf5b')),
    wire: colour('--text-primary', '#e6e7ea'),
    accent: colour('--accent-line', '#6f8cff'),
  }
}
