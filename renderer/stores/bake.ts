import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import type { BakeOptions } from '../../main/bake/options.ts'
import { Problem } from '../../main/model/problem.ts'
import type { Grant } from '../../preload/api.ts'
import { clipOption, meshChoices, meshesNamed } from '../bake-options/choose-meshes.ts'
import { commandLine } from '../bake-options/command-line.ts'
import { defaultOptions, isDefault, optionKeys } from '../bake-options/describe-option.ts'
import { type AssumedOptions, assume, type Consequences, consequencesOf, framesOf, type KnownClip, likelyLoops, loops } from '../estimate/consequences.ts'
import { combinationProblem } from '../estimate/combination-problem.ts'
import { findProblems, fitsTarget, type Fix } from '../estimate/problems.ts'
import { vatStudio } from '../vat-studio.ts'
import { useModelStore } from './model.ts'
import { askPlan } from './plan.ts'

/** How the next bake is to be made, and what that comes to. */
export const useBakeStore = defineStore('bake', () => {
  const model = useModelStore()

  /** `anim`, `mesh` and `output` are filled in from the lists and the folder when a bake is asked for. */
  const options = reactive<BakeOptions>(defaultOptions())
  /** Whether all clips to bake go into the same textures, or each becomes a bake of its own. */
  const together = ref(true)
  /** Indices of the clips to bake. */
  const ticked = ref<ReadonlySet<number>>(new Set())
  /** Until somebody ticks clips, the one that plays is the one to bake. */
  let ticksTouched = false
  /** Names of the meshes that are left out. */
  const leftOut = ref<ReadonlySet<string>>(new Set())
  const folder = shallowRef<Grant | null>(null)
  /** What is wrong with what stands in a field and was not taken over, by its option. */
  const faults = reactive<Partial<Record<keyof BakeOptions, string>>>({})
  /** Counts how often the fields had to forget what stood in them and was not taken over. */
  const forgotten = ref(0)

  const choices = computed(() => (model.model ? meshChoices(model.model) : []))
  const meshNames = computed(() =>
    leftOut.value.size === 0 ? [] : choices.value.filter(({ name }) => !leftOut.value.has(name)).map(({ name }) => name),
  )
  const chosenVertices = computed(() => {
    const opened = model.model
    if (!opened) return 0
    if (leftOut.value.size > 0 && meshNames.value.length === 0) return 0
    return meshesNamed(opened, meshNames.value).reduce((sum, index) => sum + opened.meshes[index].vertexCount, 0)
  })
  /** What a plan has told of a piece of a clip. */
  const piece = shallowRef<{ of: string; loops: boolean } | null>(null)
  const pieceKey = computed(() => `${model.grant?.token} ${[...ticked.value].join()} ${options.start} ${options.end}`)
  const chosenClips = computed<KnownClip[]>(() =>
    model.clips
      .filter(({ index }) => ticked.value.has(index))
      .map((clip) => (piece.value?.of === pieceKey.value ? { ...clip, pieceLoops: piece.value.loops } : clip)),
  )
  /** The clips of each bake. */
  const sets = computed<KnownClip[][]>(() => {
    if (chosenClips.value.length === 0) return []
    return together.value ? [chosenClips.value] : chosenClips.value.map((clip) => [clip])
  })
  /** Ranges and counts are of one clip, and a name of one bake: several clips are baked whole, and several bakes under their own names. */
  const effective = computed<BakeOptions>(() => {
    const whole = { start: undefined, end: undefined, frameRange: undefined, frames: undefined }
    return { ...options, ...(chosenClips.value.length > 1 ? whole : {}), ...(sets.value.length > 1 ? { name: undefined } : {}) }
  })

  /** The same, with what is likely for what the bake has to find. */
  const assumed = computed<AssumedOptions>(() => assume(effective.value, sets.value))
  /** Samples a second. */
  const rate = computed(() => assumed.value.fps)

  const problems = computed(() => {
    if (!model.model) return []
    const found = findProblems({ vertexCount: chosenVertices.value }, sets.value, assumed.value)
    const combination = combinationProblem(effective.value)
    return combination ? [combination, ...found] : found
  })
  const blocking = computed(() => problems.value.filter(({ severity }) => severity === 'bad'))
  /** How many things have to be mended in the panel. */
  const wrongs = computed(() => blocking.value.length + Object.keys(faults).length)

  /** Of each bake that fits. */
  const consequences = computed<Consequences[]>(() => {
    const opened = model.model
    if (!opened || chosenVertices.value === 0 || !fitsTarget(effective.value)) return []
    const share = chosenVertices.value / model.vertexCount
    // The written mesh has the index UV more than the one that was read.
    const meshBytes = opened.restMesh.byteLength * share + chosenVertices.value * 8
    const baked = { vertexCount: chosenVertices.value, meshBytes }
    return sets.value.flatMap((clips) => attempt(() => consequencesOf(baked, clips, assumed.value)) ?? [])
  })

  /** Why nothing can be baked, beside the button; null where it can. */
  const obstacle = computed<string | null>(() => {
    if (!model.model) return 'Open a model to bake'
    if (model.clips.length === 0) return 'No animation to bake'
    if (ticked.value.size === 0) return 'Tick a clip to bake'
    if (chosenVertices.value === 0) return 'Tick a mesh to bake'
    if (wrongs.value > 0) return `Fix ${wrongs.value} ${wrongs.value === 1 ? 'problem' : 'problems'} to bake`
    if (!folder.value) return 'Choose a folder for the files'
    return null
  })

  /** Frames of a clip at the rate of the panel, for the clip list; null where its range is wrong. */
  function framesOfClip(clip: KnownClip): number | null {
    const { value: options } = assumed
    const isRanged = ticked.value.has(clip.index)
    return attempt(() => framesOf(isRanged ? options : { ...options, start: undefined, end: undefined }, clip))
  }

  const clipLoops = (clip: KnownClip) => loops(effective.value, clip)
  const clipLikelyLoops = (clip: KnownClip) => likelyLoops(effective.value, clip)

  function set<Key extends keyof BakeOptions>(key: Key, value: BakeOptions[Key]): void {
    options[key] = value
  }

  /** Takes note of what is wrong with a field, or that nothing is. */
  function tellFault(key: keyof BakeOptions, sentence: string | null): void {
    if (sentence === null) delete faults[key]
    else faults[key] = sentence
  }

  function apply(fix: Fix): void {
    Object.assign(options, fix.change)
    if (fix.separately) together.value = false
  }

  function isChanged(key: keyof BakeOptions): boolean {
    return !isDefault(key, options[key])
  }

  function reset(): void {
    const { output } = options
    Object.assign(options, emptied(), defaultOptions(), { output })
    together.value = true
    forgotten.value++
  }

  function tick(index: number, on: boolean): void {
    tickAll(on, [index])
  }

  function tickAll(on: boolean, indices = model.clips.map(({ index }) => index)): void {
    ticksTouched = true
    const changed = new Set(ticked.value)
    for (const index of indices) {
      if (on) changed.add(index)
      else changed.delete(index)
    }
    ticked.value = changed
  }

  function leaveOut(name: string, out: boolean): void {
    const changed = new Set(leftOut.value)
    if (out) changed.add(name)
    else changed.delete(name)
    leftOut.value = changed
  }

  async function chooseFolder(): Promise<void> {
    const chosen = await vatStudio().folders.choose()
    if (chosen) folder.value = chosen
  }

  /** The whole options of the bake of some clips. */
  function optionsFor(clips: KnownClip[]): BakeOptions {
    const known = model.model!.clips
    const all = clips.length > 1 && clips.length === known.length
    return {
      ...effective.value,
      anim: all || known.length === 1 ? [] : clips.map(({ index }) => clipOption(known, index)),
      all,
      mesh: [...meshNames.value],
      output: folder.value?.path ?? options.output,
    }
  }

  /** What makes the same bakes in a terminal: one line for each. */
  function commandText(platform: string): string {
    const path = model.grant?.path ?? ''
    return sets.value.map((clips) => commandLine(path, optionsFor(clips), platform === 'win32' ? 'windows' : 'posix')).join('\n')
  }

  async function planPiece(clip: KnownClip, key: string): Promise<void> {
    if (!model.grant || !folder.value) return
    const { output: _, ...wanted } = optionsFor([clip])
    const planned = await askPlan({ model: model.grant.token, output: folder.value.token, options: { ...wanted, loop: 'auto' } })
    if (planned && pieceKey.value === key) piece.value = { of: key, loops: planned.clips[0].loop }
  }

  // Whether a piece of a clip loops only a look at its own ends can tell, which the worker takes.
  let planning: ReturnType<typeof setTimeout> | undefined
  watch(pieceKey, (key) => {
    clearTimeout(planning)
    const [clip, ...others] = chosenClips.value
    if (!clip || others.length > 0 || (options.start === undefined && options.end === undefined) || blocking.value.length > 0) return
    planning = setTimeout(() => void planPiece(clip, key), 250)
  })

  // Another model: its clips, meshes and folder; how it is to be encoded stays as it was.
  watch(
    () => model.grant,
    async (grant) => {
      leftOut.value = new Set()
      forgotten.value++
      Object.assign(options, { start: undefined, end: undefined, frameRange: undefined, frames: undefined, name: undefined })
      ticksTouched = false
      ticked.value = new Set(model.clip === null ? [] : [model.clip])
      folder.value = null
      if (!grant) return
      const suggested = await vatStudio().folders.forModel(grant.token)
      if (model.grant === grant) folder.value ??= suggested
    },
  )

  watch(
    () => model.clip,
    (clip) => {
      if (ticksTouched || clip === null) return
      ticked.value = new Set([clip])
      // They were times of another clip.
      Object.assign(options, { start: undefined, end: undefined, frameRange: undefined, frames: undefined })
    },
  )

  return {
    options, effective, assumed, rate, together, sets, ticked, leftOut, folder, choices, meshNames, chosenVertices, chosenClips,
    problems, blocking, faults, forgotten, wrongs, consequences, obstacle,
    framesOfClip, clipLoops, clipLikelyLoops, set, tellFault, apply, isChanged, reset, tick, tickAll, leaveOut, chooseFolder,
    optionsFor, commandText,
  }
})

/** Undefined where the options do not fit, which `problems` explains. */
function attempt<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** Optional members have to be named to be taken away by `Object.assign`. */
function emptied(): Partial<BakeOptions> {
  return Object.fromEntries(optionKeys.map((key) => [key, undefined]))
}
