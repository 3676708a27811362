import { brokenCache, type VertexCache } from './vertex-cache.ts'

/** What the .xml file of a Maya cache says. */
export interface MayaCacheDescription {
  isOneFile: boolean
  /** `mc` for 32-bit sizes, `mcx` for 64-bit ones. */
  ending: 'mc' | 'mcx'
  channels: { name: string; interpretation: string }[]
}

/**
 * Reads the .xml file of a Maya cache ("nCache"). It is written by programs in one form, so that no XML reader is needed, and no
 * entity beyond the five is resolved.
 *
 * @throws Problem where it is something else
 */
export function readMayaDescription(file: string, bytes: Uint8Array): MayaCacheDescription {
  const text = new TextDecoder().decode(bytes)
  const attributes = (source: string) => {
    const found = [...source.matchAll(/([A-Za-z]+)="([^"]*)"/g)]
    return Object.fromEntries(found.map(([, name, value]) => [name, unescaped(value)])) as Record<string, string | undefined>
  }
  const { Type, Format } = attributes(/<cacheType\s([^>]*)>/.exec(text)?.[1] ?? '')
  if (!Type || !Format) throw brokenCache(file, 'it does not describe a Maya cache')
  return {
    isOneFile: Type === 'OneFile',
    ending: Format === 'mcx' ? 'mcx' : 'mc',
    channels: [...text.matchAll(/<channel\d+\s([^>]*)>/g)].map(([, source]) => {
      const { ChannelName = '', ChannelInterpretation = '' } = attributes(source)
      return { name: ChannelName, interpretation: ChannelInterpretation }
    }),
  }
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name])
}

/** Of Maya's clock a second. */
const TICKS = 6000

/**
 * Reads the vectors of a channel out of .mc or .mcx files (Maya, "nCache": chunks of the Interchange File Format, big-endian):
 * `CACH` with the range, then a `MYCH` for each time with name, size and values of each channel.
 *
 * @param files   in any order: all frames in one, or one frame each
 * @param channel name
 * @throws Problem where a file is damaged, or has no such channel
 */
export function readMayaCache(files: { name: string; bytes: Uint8Array }[], channel: string): VertexCache {
  const found = files.flatMap(({ name, bytes }) => readFrames(name, bytes, channel))
  if (found.length === 0) throw brokenCache(files[0].name, `it has no vectors of "${channel}"`)
  // Of two frames at one time the first counts.
  const frames = found.sort((a, b) => a.time - b.time).filter(({ time }, i) => i === 0 || time > found[i - 1].time)
  return { times: frames.map(({ time }) => time), frames: frames.map(({ vectors }) => vectors) }
}

interface CachedFrame {
  /** Seconds. */
  time: number
  vectors: Float32Array
}

function readFrames(file: string, bytes: Uint8Array, channel: string): CachedFrame[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to)).replace(/\0.*$/s, '')
  const groupTag = text(0, 4)
  if (groupTag !== 'FOR4' && groupTag !== 'FOR8') throw brokenCache(file, 'it does not begin as a Maya cache')
  const isWide = groupTag === 'FOR8'
  /** Whole numbers that a chunk consists of. */
  const numberIn = ({ from, to, tag }: Chunk) => {
    if (to - from < 4) throw brokenCache(file, `its ${tag} is cut off`)
    return view.getInt32(from)
  }
  const frames: CachedFrame[] = []
  let start = 0
  for (const group of listChunks(view, file, 0, bytes.length, isWide)) {
    if (group.tag !== groupTag) throw brokenCache(file, `it has ${group.tag} where frames should be`)
    let time = start
    let [name, count] = ['', 0]
    for (const chunk of listChunks(view, file, group.from + 4, group.to, isWide)) {
      if (chunk.tag === 'STIM') time = start = numberIn(chunk)
      else if (chunk.tag === 'TIME') time = numberIn(chunk)
      else if (chunk.tag === 'CHNM') name = text(chunk.from, chunk.to)
      else if (chunk.tag === 'SIZE') count = numberIn(chunk)
      else if (name === channel && (chunk.tag === 'FVCA' || chunk.tag === 'DVCA')) {
        const size = chunk.tag === 'FVCA' ? 4 : 8
        if (chunk.to - chunk.from !== count * 3 * size) {
          throw brokenCache(file, `"${name}" has ${chunk.to - chunk.from} bytes, which are not ${count} points`)
        }
        const { from } = chunk
        const read = size === 4 ? (i: number) => view.getFloat32(from + i * 4) : (i: number) => view.getFloat64(from + i * 8)
        frames.push({ time: time / TICKS, vectors: Float32Array.from({ length: count * 3 }, (_, i) => read(i)) })
      }
    }
  }
  return frames
}

interface Chunk {
  tag: string
  from: number
  to: number
}

/**
 * Chunks begin with a tag and the size of what follows. They are filled up to 4 bytes, or to 8 where sizes have 64 bits; groups
 * of chunks are not, as their own tag moves what is in them by 4.
 */
function* listChunks(view: DataView, file: string, from: number, to: number, isWide: boolean): Generator<Chunk> {
  const [head, step] = isWide ? [16, 8] : [8, 4]
  for (let at = from; at < to;) {
    if (at + head > to) throw brokenCache(file, `it ends ${to - at} bytes behind a chunk`)
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)))
    const size = isWide ? Number(view.getBigUint64(at + 8)) : view.getUint32(at + 4)
    const begin = at + head
    if (size > to - begin) throw brokenCache(file, `a chunk of ${size} bytes does not fit into what is left of it, ${to - begin}`)
    yield { tag, from: begin, to: begin + size }
    at = begin + (tag.startsWith('FOR') ? size : Math.ceil(size / step) * step)
  }
}
