import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { createEvaluator, type Evaluator } from '../../main/model/evaluate.ts'
import { Problem } from '../../main/model/problem.ts'
import { spaceMatrix } from '../../main/targets/target.ts'
import { targetOf } from '../../main/targets/targets.ts'
import type { ModelPreview } from '../../main/worker/preview-contract.ts'
import type { Grant } from '../../preload/api.ts'
import type { KnownClip, MeasuredClip } from '../estimate/consequences.ts'
import { measureClip } from '../estimate/measure-clip.ts'
import { thinOut } from '../estimate/thin-out.ts'
import { messageOf, vatStudio } from '../vat-studio.ts'
import { modelFacade } from '../viewport/model-facade.ts'
import { formatTook } from '../words/format.ts'
import { usePreviewStore } from './preview.ts'
import { useStatusStore } from './status.ts'

/** A file that could not be opened. */
export interface OpenFailure {
  /** Null where not even a grant was given, as for a dropped file that is no model. */
  grant: Grant | null
  name: string
  /** What is wrong, then what to do. */
  message: string
}

/** Vertices that a look at a clip takes in: a few milliseconds for each moment. */
const LOOKED_AT = 20_000

/** The model that is open, and how it plays. */
export const useModelStore = defineStore('model', () => {
  const preview = usePreviewStore()
  const status = useStatusStore()

  const grant = shallowRef<Grant | null>(null)
  const model = shallowRef<ModelPreview | null>(null)
  /** The file that is being read. */
  const opening = shallowRef<Grant | null>(null)
  const failure = shallowRef<OpenFailure | null>(null)
  /** By index of the clip; filled one after the other once a model is open. */
  const measured = shallowRef<ReadonlyMap<number, MeasuredClip>>(new Map())

  const clip = ref<number | null>(null)
  /** Seconds on the clip's own time line. */
  const time = ref(0)
  const playing = ref(false)
  /** Per cent of the clip's own speed. */
  const speed = ref(100)
  const repeat = ref(true)

  /** Counts openings, so that a late answer of an earlier one is told from the latest. */
  let turn = 0

  const clips = computed<KnownClip[]>(() =>
    (model.value?.clips ?? []).map(({ name, index, start, end }) => ({
      name: name === '' ? `#${index}` : name,
      index,
      start,
      end,
      measured: measured.value.get(index) ?? null,
    })),
  )
  const currentClip = computed(() => (clip.value === null ? null : (clips.value[clip.value] ?? null)))
  const vertexCount = computed(() => model.value?.meshes.reduce((sum, mesh) => sum + mesh.vertexCount, 0) ?? 0)
  const triangleCount = computed(() => model.value?.meshes.reduce((sum, mesh) => sum + mesh.indices.length / 3, 0) ?? 0)
  const jointCount = computed(() => model.value?.skins.reduce((sum, skin) => sum + skin.joints.length, 0) ?? 0)
  /** Sides of the model at rest in metres; null where it has no vertices. */
  const size = computed<[number, number, number] | null>(() => {
    if (!model.value?.bounds) return null
    const { min, max } = model.value.bounds
    return [max[0] - min[0], max[1] - min[1], max[2] - min[2]]
  })

  /** Opens a file that was dropped on the window. */
  async function drop(file: File): Promise<void> {
    try {
      await open(await vatStudio().models.drop(file))
    } catch (error) {
      fail({ grant: null, name: file.name, message: messageOf(error) })
    }
  }

  /** Reads a model and shows it. The one that is open stays until then, and where the other cannot be read. */
  async function open(file: Grant): Promise<void> {
    const mine = ++turn
    const begin = performance.now()
    opening.value = file
    failure.value = null
    try {
      const client = await preview.connect()
      const opened = await client.open(file.token)
      if (mine !== turn) {
        void client.ask('close', { handle: opened.handle }).catch(() => {})
        return
      }
      show(file, opened)
      status.say(`${file.name} opened in ${formatTook((performance.now() - begin) / 1000)}`, 'good')
      void vatStudio().models.opened(file.token)
      void measure(mine, opened)
    } catch (error) {
      if (mine === turn) fail({ grant: file, name: file.name, message: messageOf(error) })
    } finally {
      if (mine === turn) opening.value = null
    }
  }

  function show(file: Grant, opened: ModelPreview): void {
    forget()
    // The same file again (the preview was lost, or it was saved anew) goes on where it was.
    const goesOn = grant.value?.token === file.token && clip.value !== null && clip.value < opened.clips.length
    grant.value = file
    model.value = opened
    measured.value = new Map()
    if (goesOn) return
    clip.value = null
    playing.value = false
    if (opened.clips.length > 0) chooseClip(0, !matchMedia('(prefers-reduced-motion: reduce)').matches)
  }

  /** Gives up waiting for a model. */
  function cancelOpening(): void {
    turn++
    opening.value = null
  }

  function close(): void {
    turn++
    forget()
    grant.value = model.value = opening.value = failure.value = null
    measured.value = new Map()
    clip.value = null
    playing.value = false
    status.say('Ready')
  }

  /** Lets the preview service free what it holds of the open model. */
  function forget(): void {
    if (model.value) void preview.client?.ask('close', { handle: model.value.handle }).catch(() => {})
  }

  function fail(what: OpenFailure): void {
    failure.value = what
    status.say(`${what.name} could not be opened`, 'bad')
  }

  function dismissFailure(): void {
    failure.value = null
  }

  /** Looks at every clip, the chosen one first, for the estimates of the bake panel. */
  async function measure(mine: number, opened: ModelPreview): Promise<void> {
    const looker = createLooker(opened)
    if (!looker) return
    const waiting = [...opened.clips]
    while (waiting.length > 0 && mine === turn) {
      const at = Math.max(0, waiting.findIndex(({ index }) => index === clip.value))
      const [next] = waiting.splice(at, 1)
      try {
        const found = await measureClip(looker, next)
        if (mine === turn) measured.value = new Map(measured.value).set(next.index, found)
      } catch {
        // Without a look the estimate stays open; the bake itself measures for certain.
        return
      }
    }
  }

  function createLooker(opened: ModelPreview) {
    const client = preview.client
    if (!client || vertexCount.value === 0) return null
    let evaluator: Evaluator
    const target = targetOf('agnostic')
    try {
      const space = spaceMatrix(target.axesFromGltf, target.unitsPerMetre)
      const everyMesh = opened.meshes.map((_, index) => index)
      evaluator = createEvaluator(thinOut(modelFacade(opened), LOOKED_AT), everyMesh, space)
    } catch (error) {
      if (error instanceof Problem) return null
      throw error
    }
    const rest = evaluator.createFrame({ normals: false, tangents: false })
    evaluator.evaluate(opened.restPose, rest)
    return {
      model: opened,
      evaluator,
      rest,
      pose: ({ index }: { index: number }, at: number) => client.ask('pose', { model: opened.handle, clip: index, time: at }),
      pause: () => new Promise<void>((resolve) => setTimeout(resolve)),
    }
  }

  /** Shows another clip from its start, and plays it. */
  function chooseClip(index: number, play = true): void {
    clip.value = index
    time.value = clips.value[index]?.start ?? 0
    playing.value = play
  }

  function togglePlaying(): void {
    const current = currentClip.value
    if (!current) return
    // From the very end there is nowhere to go but the start.
    if (!playing.value && !repeat.value && time.value >= current.end) time.value = current.start
    playing.value = !playing.value
  }

  /** Shows a moment of the clip and stops there. */
  function seek(to: number): void {
    const current = currentClip.value
    if (!current) return
    playing.value = false
    time.value = Math.min(current.end, Math.max(current.start, to))
  }

  return {
    grant, model, opening, failure, clip, time, playing, speed, repeat,
    clips, currentClip, vertexCount, triangleCount, jointCount, size,
    drop, open, cancelOpening, close, dismissFailure, fail, chooseClip, togglePlaying, seek,
  }
})
