import { defineStore } from 'pinia'
import { computed } from 'vue'
import { useBakeStore } from './bake.ts'
import { useModelStore } from './model.ts'

/** Where playing is among the samples that the next bake would take of the clip. */
export const usePlaybackStore = defineStore('playback', () => {
  const model = useModelStore()
  const bake = useBakeStore()

  /** The current clip is the one whose range the panel sets. */
  const isRanged = computed(() => model.clip !== null && bake.ticked.size === 1 && bake.ticked.has(model.clip))

  /** Seconds on the clip's time line that are played and baked; null without a clip. */
  const range = computed<[number, number] | null>(() => {
    const clip = model.currentClip
    if (!clip) return null
    if (!isRanged.value) return [clip.start, clip.end]
    const from = Math.max(clip.start, bake.options.start ?? clip.start)
    const to = Math.min(clip.end, bake.options.end ?? clip.end)
    return from <= to ? [from, to] : [clip.start, clip.end]
  })

  /** Samples of the range: their number, and the seconds between them. */
  const samples = computed<{ count: number; step: number }>(() => {
    const clip = model.currentClip
    if (!clip || !range.value) return { count: 0, step: 0 }
    const duration = range.value[1] - range.value[0]
    const count = bake.framesOfClip(clip) ?? 1
    const steps = bake.clipLikelyLoops(clip) ? count : Math.max(1, count - 1)
    return { count, step: duration / steps }
  })

  /** Index of the sample that is nearest. */
  const sample = computed(() => {
    const { count, step } = samples.value
    if (!range.value || step === 0) return 0
    return Math.min(count - 1, Math.max(0, Math.round((model.time - range.value[0]) / step)))
  })

  function seekSample(index: number): void {
    const { count, step } = samples.value
    if (!range.value || count === 0) return
    // Stepping past an end comes in again at the other one.
    const wrapped = ((index % count) + count) % count
    model.seek(range.value[0] + wrapped * step)
  }

  function step(by: 1 | -1): void {
    seekSample(sample.value + by)
  }

  function toStart(): void {
    if (range.value) model.seek(range.value[0])
  }

  function toEnd(): void {
    if (range.value) model.seek(range.value[1])
  }

  return { isRanged, range, samples, sample, seekSample, step, toStart, toEnd }
})
