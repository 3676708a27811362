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
const NOT_HOW: (keyof BakeOptions)[] = ['anim', 'mesh', 'output', 'overwrite', 'maxError', 'name']

/** The bakes of the open model: what was written, read back from disk. */
export const useResultStore = defineStore('result', () => {
  const model = useModelStore()
  const bake = useBakeStore()
  const preview = usePreviewStore()
  const view = useViewStore()

  /** The latest bake of each clip, by the clip's index in the model. */
  const baked = shallowRef<ReadonlyMap<number, BakeJob>>(new Map())
  const finishedAt = shallowRef<ReadonlyMap<number, number>>(new Map())
  /** The bake of the clip that is shown. */
  const job = computed(() => (model.clip === null ? null : (baked.value.get(model.clip) ?? null)))
  const sidecar = computed(() => job.value?.result?.sidecar ?? null)
  const diskBytes = computed(() => job.value?.result?.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0)

  /** Its files; null while they are read, and where they cannot be. */
  const files = shallowRef<BakePreview | null>(null)
  /** Why they cannot be read. */
  const problem = ref<string | null>(null)
  /** Its errors over time; null while they are computed. */
  const curve = shallowRef<ErrorCurve | null>(null)
  /** The view switches to the comparison, and the inspector to the report, once a model. */
  let switched = false
  /** Counts the times that the report is to be scrolled into sight. */
  const called = ref(0)

  /** Options that were changed since that bake. */
  const changedSince = computed<(keyof BakeOptions)[]>(() => {
    const made = job.value?.options
    if (!made) return []
    return optionKeys.filter((key) => !NOT_HOW.includes(key) && JSON.stringify(made[key]) !== JSON.stringify(bake.effective[key]))
  })

  /** Takes over a bake that has just been made, where it is of the open model. */
  function show(finished: BakeJob): void {
    if (!finished.written || !finished.result || finished.model.token !== model.grant?.token) return
    const clip = finished.result.sidecar.clips[0].index
    baked.value = new Map(baked.value).set(clip, finished)
    finishedAt.value = new Map(finishedAt.value).set(clip, Date.now())
    view.sections.report = true
    // Of several bakes the first one is shown; the others must not snatch the clip away that somebody looks at.
    if (baked.value.size === 1 && model.clip !== clip) model.chooseClip(clip, model.playing)
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
      const first = !switched
      if (first) {
        switched = true
        view.mode = 'side-by-side'
        view.errorMap = true
      }
      if (!model.model) return
      const found = await client.ask('errors', { bake: opened.handle, model: model.model.handle, clip: 0 })
      if (files.value !== opened) return
      curve.value = found
      if (first) called.value++
    } catch (error) {
      if (job.value === shown) problem.value = messageOf(error)
    }
  }

  function unload(): void {
    if (files.value) void preview.client?.ask('close', { handle: files.value.handle }).catch(() => {})
    files.value = curve.value = problem.value = null
  }

  watch(job, (shown) => {
    unload()
    if (shown) void load(shown)
  })
  watch(
    () => model.grant,
    () => {
      baked.value = new Map()
      finishedAt.value = new Map()
      view.mode = 'original'
      view.errorMap = false
      switched = false
    },
  )

  return { baked, finishedAt, job, sidecar, diskBytes, files, problem, curve, changedSince, called, show }
})
