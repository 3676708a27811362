import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { BakeOptions } from '../../main/bake/options.ts'
import type { BakePreview, ErrorCurve } from '../../main/worker/preview-contract.ts'
import { optionKeys } from '../bake-options/describe-option.ts'
import { messageOf } from '../vat-studio.ts'
import { useBakeStore } from './bake.ts'
import type { BakeJob } from './jobs.ts'
import { useModelStore } from './model.ts'
import { usePreviewStore } from './preview.ts'
import { useViewStore } from './view.ts'

/** Changing these does not make a report out of date: they say what is baked and where to, not how. */
const NOT_HOW: (keyof BakeOptions)[] = ['anim', 'all', 'mesh', 'output', 'overwrite', 'maxError', 'name']

/** The bakes of the open model: what was written, read back from disk. */
export const useResultStore = defineStore('result', () => {
  const model = useModelStore()
  const bake = useBakeStore()
  const preview = usePreviewStore()
  const view = useViewStore()

  /** The latest bake of each clip, by the clip's index in the model. */
  const baked = shallowRef<ReadonlyMap<number, BakeJob>>(new Map())
  /** By the bake's key. */
  const finishedAt = new Map<number, number>()
  /** The bake of the clip that is shown. */
  const job = computed(() => (model.clip === null ? null : (baked.value.get(model.clip) ?? null)))
  const verifiedAt = computed(() => (job.value === null ? null : finishedAt.get(job.value.key)!))
  const sidecar = computed(() => job.value?.result?.sidecar ?? null)
  /** Where the clip that is shown is in its bake; -1 where it was not baked. */
  const clipIndex = computed(() => sidecar.value?.clips.findIndex(({ index }) => index === model.clip) ?? -1)
  const clip = computed(() => sidecar.value?.clips[clipIndex.value] ?? null)
  /** The errors of that clip alone; those of its whole bake are in the sidecar. */
  const clipErrors = computed(() => sidecar.value?.report.position.clips[clipIndex.value] ?? null)
  const diskBytes = computed(() => job.value?.result?.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0)

  /** Its files; null while they are read, and where they cannot be. */
  const files = shallowRef<BakePreview | null>(null)
  /** Why they cannot be read. */
  const problem = ref<string | null>(null)
  /** Errors over time of the clips that were looked at, by their place in the bake. */
  const curves = shallowRef<ReadonlyMap<number, ErrorCurve>>(new Map())
  /** Those of the clip that is shown; null while they are computed. */
  const curve = computed(() => curves.value.get(clipIndex.value) ?? null)
  /** The view switches to the comparison, and the inspector to the report, once a model. */
  let switched = false
  /** The report is to be scrolled into sight, once a model. */
  const called = ref(false)

  /** Options that were changed since that bake. */
  const changedSince = computed<(keyof BakeOptions)[]>(() => {
    const made = job.value?.options
    if (!made) return []
    return optionKeys.filter((key) => !NOT_HOW.includes(key) && JSON.stringify(made[key]) !== JSON.stringify(bake.effective[key]))
  })

  /** Takes over a bake that has just been made, where it is of the open model. */
  function show(finished: BakeJob): void {
    const { written, result, model: of } = finished
    if (!written || !result || of.token !== model.grant?.token) return
    const isFirst = baked.value.size === 0
    const clips = result.sidecar.clips.map(({ index }) => index)
    // What lay in the same files before is gone.
    const kept = [...baked.value].filter(([, job]) => job.written!.sidecar.path !== written.sidecar.path)
    finishedAt.set(finished.key, Date.now())
    baked.value = new Map([...kept, ...clips.map((index) => [index, finished] as const)])
    view.sections.report = true
    // Of several bakes the first one is shown; the others must not snatch the clip away that somebody looks at.
    if (isFirst && !clips.includes(model.clip!)) model.chooseClip(clips[0], model.playing)
  }

  async function load(shown: BakeJob): Promise<void> {
    try {
      const client = await preview.connect()
      const opened = await client.openBake(shown.written!.sidecar.token)
      if (job.value !== shown) {
        void client.ask('close', { handle: opened.handle }).catch(() => {})
        return
      }
      files.value = opened
      if (switched) return
      switched = true
      view.mode = 'side-by-side'
      view.errorMap = true
    } catch (error) {
      if (job.value === shown) problem.value = messageOf(error)
    }
  }

  /** Computes the errors over time of a clip of the bake that is shown. */
  async function follow(opened: BakePreview, index: number): Promise<void> {
    if (!model.model || curves.value.has(index)) return
    try {
      const client = await preview.connect()
      const found = await client.ask('errors', { bake: opened.handle, model: model.model.handle, clip: index })
      if (files.value !== opened) return
      curves.value = new Map(curves.value).set(index, found)
      // The first report is whole now.
      called.value = true
    } catch (error) {
      if (files.value === opened) problem.value = messageOf(error)
    }
  }

  function unload(): void {
    if (files.value) void preview.client?.ask('close', { handle: files.value.handle }).catch(() => {})
    files.value = problem.value = null
    curves.value = new Map()
  }

  watch(job, (shown) => {
    unload()
    if (shown) void load(shown)
  })
  watch([files, clipIndex], ([opened, index]) => {
    if (opened && index >= 0) void follow(opened, index)
  })
  watch(
    () => model.grant,
    () => {
      baked.value = new Map()
      finishedAt.clear()
      view.mode = 'original'
      view.errorMap = false
      switched = false
      called.value = false
    },
  )

  return { baked, verifiedAt, job, sidecar, clipIndex, clip, clipErrors, diskBytes, files, problem, curve, changedSince, called, show }
})
