/** What of a model and its bake the viewport shows. All but `original` need a bake. */
export const VIEW_MODES = ['original', 'vat', 'side-by-side', 'overlay', 'split', 'crowd'] as const
export type ViewMode = (typeof VIEW_MODES)[number]

/** Where the error map can be drawn: the others show no surface of one bake alone. */
export const ERROR_MODES: readonly ViewMode[] = ['vat', 'side-by-side', 'split']

/** An error that is none to all purposes: the map does not draw it, nor is it told more exactly. */
export const NEGLIGIBLE_MILLIMETRES = 0.01

/** How surfaces are drawn: as their materials say, in plain grey, without light, or coloured by their normals. */
export const SHADINGS = ['lit', 'clay', 'unlit', 'normals'] as const
export type Shading = (typeof SHADINGS)[number]

/** What is drawn over the model. */
export interface Overlays {
  wireframe: boolean
  skeleton: boolean
  bounds: boolean
  grid: boolean
  axes: boolean
}

export const DEFAULT_OVERLAYS: Overlays = { wireframe: false, skeleton: false, bounds: false, grid: true, axes: true }

/** The instances of the crowd view. */
export interface CrowdOptions {
  /** 1 to 10,000. */
  count: number
  /** Units of the model between neighbours; null for a distance that suits its size. */
  spacing: number | null
  /** All alike, each at a time of its own, or running through the rows. */
  phase: 'in-step' | 'random' | 'wave'
  /** Indices into the sidecar's clips that are dealt out to the instances; all of them where it is empty. */
  clips: number[]
}

export const DEFAULT_CROWD: CrowdOptions = { count: 100, spacing: null, phase: 'random', clips: [] }

/** What the crowd and every other view cost. */
export interface FrameCost {
  /** Mean of the last 60 frames, in milliseconds, from one frame to the next while frames follow each other. */
  frameMilliseconds: number
  /** The same for the part that runs in this thread: posing, evaluating and drawing. */
  workMilliseconds: number
  /** The last 60 frames, oldest first, in milliseconds. */
  history: number[]
  drawCalls: number
  /** Vertices drawn, of all instances. */
  vertices: number
  /** Bytes of the bake's textures on the GPU; 0 without a bake. */
  textureBytes: number
}

/** What the error map shows at the displayed time. */
export interface ErrorReading {
  /** Largest error of the displayed frame. */
  maxMillimetres: number
  /** Vertex of the bake's rest mesh where it is. */
  vertex: number
  /** What the top of the colour ramp stands for. */
  scaleMillimetres: number
}

/** A place in the canvas in CSS pixels, e.g. of a marked vertex; null while it is out of sight. */
export interface ScreenPoint {
  x: number
  y: number
}
