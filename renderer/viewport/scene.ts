import {
  ArcRotateCamera,
  Camera,
  Color3,
  Color4,
  DirectionalLight,
  Engine,
  HemisphericLight,
  ImageProcessingConfiguration,
  Scene,
  Vector3,
  Viewport,
} from 'babylonjs'
import type { Box } from '../../main/model/box.ts'
import { Problem } from '../../main/model/problem.ts'
import { createEnvironment } from './environment.ts'

/** Which camera sees what. */
export const LAYERS = { shared: 1, original: 2, vat: 4 } as const

/** How the canvas is divided: one view, two beside each other, or two that meet at a line. */
export type Panes = { kind: 'one'; layers: number } | { kind: 'beside' } | { kind: 'split'; at: number }

const GLIDE_MILLISECONDS = 250

/** Babylon's engine and scene with light, cameras and a clock that only ticks when there is something to draw. */
export interface Stage {
  engine: Engine
  scene: Scene
  camera: ArcRotateCamera
  /** Direction of the sunlight. */
  sunlight: Vector3
  /** Asks for one more frame. */
  invalidate(): void
  /** Called at the beginning of each frame; answers whether there will be another one. */
  onFrame: (now: number) => boolean
  /** Called when a frame was drawn, with the milliseconds that this thread spent on it, and whether another one follows. */
  onDrawn: (now: number, work: number, more: boolean) => void
  setPanes(panes: Panes): void
  setBrightness(brightness: number): void
  /** Moves the camera so that a box fills the view, in a glide unless `cut`. */
  frame(box: Box, cut?: boolean): void
  lookFrom(alpha: number, beta: number): void
  orbit(alpha: number, beta: number): void
  /** Shares of the view's height. */
  pan(right: number, up: number): void
  zoom(factor: number): void
  /** Draws now, whether anything has changed or not. */
  draw(): void
  dispose(): void
}

/**
 * @throws Problem `limit` where the browser has no WebGL 2
 */
export function createStage(canvas: HTMLCanvasElement): Stage {
  const engine = createEngine(canvas)
  const scene = new Scene(engine)
  scene.useRightHandedSystem = true
  scene.clearColor = new Color4(0, 0, 0, 0)
  scene.skipPointerMovePicking = true
  scene.skipPointerDownPicking = true
  scene.skipPointerUpPicking = true
  scene.environmentTexture = createEnvironment(scene)
  scene.environmentIntensity = 0.75
  scene.imageProcessingConfiguration.toneMappingEnabled = true
  scene.imageProcessingConfiguration.toneMappingType = ImageProcessingConfiguration.TONEMAPPING_KHR_PBR_NEUTRAL

  const sky = new HemisphericLight('sky', new Vector3(0, 1, 0), scene)
  sky.intensity = 0.35
  sky.groundColor = new Color3(0.25, 0.25, 0.28)
  const sun = new DirectionalLight('sun', new Vector3(-0.5, -0.8, -0.45), scene)
  sun.intensity = 1.6

  const camera = createCamera('first', scene)
  const second = createCamera('second', scene)
  camera.attachControl(true)
  camera.inputs.removeByType('ArcRotateCameraKeyboardMoveInput')
  camera.useNaturalPinchZoom = true
  camera.wheelDeltaPercentage = 0.01

  let panes: Panes = { kind: 'one', layers: LAYERS.shared | LAYERS.original }
  let glide: ((now: number) => boolean) | null = null
  let scheduled = 0
  let seen = ''

  /** Half of the angle that a ball in the middle of a pane may fill, whichever way the pane is narrower. */
  function reachAngle(): number {
    // A canvas that is not shown has no size; a square one stands in for it.
    const shape = canvas.clientWidth > 0 && canvas.clientHeight > 0 ? canvas.clientWidth / canvas.clientHeight : 1
    const aspect = shape * camera.viewport.width
    return Math.atan(Math.tan(camera.fov / 2) * Math.min(1, aspect))
  }

  function viewOf({ alpha, beta, radius, target }: ArcRotateCamera): string {
    return [alpha, beta, radius, target.x, target.y, target.z].join()
  }

  /** Everything that depends on where the camera is. */
  function followCamera(): void {
    camera.minZ = camera.radius / 200
    camera.maxZ = camera.radius * 200
    camera.panningSensibility = Math.max(1, canvas.clientHeight) / (2 * Math.tan(camera.fov / 2)) / camera.radius
    second.alpha = camera.alpha
    second.beta = camera.beta
    second.radius = camera.radius
    second.target.copyFrom(camera.target)
    second.minZ = camera.minZ
    second.maxZ = camera.maxZ
  }

  function draw(): void {
    followCamera()
    engine.beginFrame()
    scene.render()
    engine.endFrame()
  }

  function tick(now: number): void {
    scheduled = 0
    const begin = performance.now()
    if (glide?.(now) === false) glide = null
    const more = stage.onFrame(now)
    draw()
    const view = viewOf(camera)
    // A drag goes on inside of render(): as long as the view changes there is another frame to draw.
    const moved = view !== seen
    seen = view
    const follows = more || glide !== null || moved || !scene.isReady()
    stage.onDrawn(now, performance.now() - begin, follows)
    if (follows) stage.invalidate()
  }

  scene.onBeforeCameraRenderObservable.add((current) => {
    if (panes.kind !== 'split') return
    const [width, height] = [engine.getRenderWidth(), engine.getRenderHeight()]
    const line = Math.round(width * panes.at)
    if (current === camera) engine.enableScissor(0, 0, line, height)
    else engine.enableScissor(line, 0, width - line, height)
  })
  scene.onAfterCameraRenderObservable.add(() => engine.disableScissor())

  function glideTo(to: { alpha?: number; beta?: number; radius?: number; target?: Vector3 }, cut = false): void {
    const end = { alpha: camera.alpha, beta: camera.beta, radius: camera.radius, target: camera.target.clone(), ...to }
    const start = { alpha: camera.alpha, beta: camera.beta, radius: camera.radius, target: camera.target.clone() }
    // The short way round.
    end.alpha = start.alpha + Math.atan2(Math.sin(end.alpha - start.alpha), Math.cos(end.alpha - start.alpha))
    const apply = (share: number) => {
      const ease = 1 - (1 - share) ** 3
      camera.alpha = start.alpha + (end.alpha - start.alpha) * ease
      camera.beta = start.beta + (end.beta - start.beta) * ease
      camera.radius = start.radius * (end.radius / start.radius) ** ease
      camera.target.copyFrom(Vector3.Lerp(start.target, end.target, ease))
    }
    if (cut || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      glide = null
      apply(1)
    } else {
      let begun: number | null = null
      glide = (now) => {
        begun ??= now
        const share = Math.min((now - begun) / GLIDE_MILLISECONDS, 1)
        apply(share)
        return share < 1
      }
    }
    stage.invalidate()
  }

  const stage: Stage = {
    engine,
    scene,
    camera,
    sunlight: sun.direction,
    invalidate: () => void (scheduled ||= requestAnimationFrame(tick)),
    onFrame: () => false,
    onDrawn: () => {},
    setPanes(wanted) {
      panes = wanted
      const angle = reachAngle()
      const one = wanted.kind === 'one'
      scene.activeCameras = one ? [camera] : [camera, second]
      scene.activeCamera = camera
      camera.layerMask = one ? wanted.layers : LAYERS.shared | LAYERS.original
      second.layerMask = LAYERS.shared | LAYERS.vat
      camera.viewport = wanted.kind === 'beside' ? new Viewport(0, 0, 0.5, 1) : new Viewport(0, 0, 1, 1)
      second.viewport = wanted.kind === 'beside' ? new Viewport(0.5, 0, 0.5, 1) : new Viewport(0, 0, 1, 1)
      // What was in sight stays in sight where the panes become narrower.
      if (reachAngle() !== angle) camera.radius *= Math.sin(angle) / Math.sin(reachAngle())
      stage.invalidate()
    },
    setBrightness(brightness) {
      scene.imageProcessingConfiguration.exposure = brightness
      stage.invalidate()
    },
    frame({ min, max }, cut) {
      const centre = new Vector3((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2)
      const reach = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2
      glideTo({ target: centre, radius: Math.max(reach, 1e-6) / Math.sin(reachAngle()) }, cut)
    },
    lookFrom: (alpha, beta) => glideTo({ alpha, beta }),
    orbit(alpha, beta) {
      glide = null
      camera.alpha += alpha
      camera.beta = Math.min(Math.max(camera.beta + beta, 0.01), Math.PI - 0.01)
      stage.invalidate()
    },
    pan(right, up) {
      glide = null
      const height = 2 * Math.tan(camera.fov / 2) * camera.radius
      const view = camera.getViewMatrix()
      const axis = (row: number) => new Vector3(view.m[row], view.m[4 + row], view.m[8 + row])
      camera.target.addInPlace(axis(0).scale(right * height)).addInPlace(axis(1).scale(up * height))
      stage.invalidate()
    },
    zoom(factor) {
      glide = null
      camera.radius *= factor
      stage.invalidate()
    },
    draw,
    dispose() {
      cancelAnimationFrame(scheduled)
      scene.dispose()
      engine.dispose()
    },
  }

  const interrupt = () => {
    glide = null
    stage.invalidate()
  }
  canvas.addEventListener('pointerdown', interrupt)
  canvas.addEventListener('wheel', interrupt, { passive: true })
  canvas.addEventListener('pointermove', (event) => event.buttons !== 0 && stage.invalidate())
  scene.executeWhenReady(() => stage.invalidate())
  engine.onContextRestoredObservable.add(() => stage.invalidate())
  stage.setPanes(panes)
  return stage
}

function createEngine(canvas: HTMLCanvasElement): Engine {
  const refusal = 'This view needs WebGL 2, which this computer does not offer. Update the graphics driver; baking works without it.'
  let engine: Engine
  try {
    engine = new Engine(canvas, true, { stencil: true, powerPreference: 'high-performance', audioEngine: false }, true)
  } catch {
    throw new Problem('limit', refusal)
  }
  if (engine.version < 2) {
    engine.dispose()
    throw new Problem('limit', refusal)
  }
  return engine
}

function createCamera(name: string, scene: Scene): ArcRotateCamera {
  const camera = new ArcRotateCamera(name, 0.9, 1.2, 5, Vector3.Zero(), scene)
  camera.fov = 0.7
  camera.fovMode = Camera.FOVMODE_VERTICAL_FIXED
  // What is drawn follows the hand and stops with it.
  camera.inertia = 0
  camera.panningInertia = 0
  camera.lowerRadiusLimit = 1e-4
  camera.lowerBetaLimit = 0.01
  camera.upperBetaLimit = Math.PI - 0.01
  camera.angularSensibilityX = 250
  camera.angularSensibilityY = 250
  return camera
}
