import { join } from 'node:path'
import type { BakeOptions } from '../../main/bake/options.ts'
import { bakeWhole } from './bake-process.ts'
import { median } from './median.ts'
import { RATE, writeTube } from './tube.ts'

/** A whole process that bakes positions and normals, and reads them back. */
export interface WholeBake {
  encoding: BakeOptions['encoding']
  vertexCount: number
  frameCount: number
  /** Bytes of the textures' numbers, uncompressed, three channels. */
  textureBytes: number
  peakBytes: number
  /** Seconds of the process, and of the processor's time. */
  seconds: number
  processorSeconds: number
}

/**
 * Bakes the tube at 1, 4 and 16 times the work, half of the growth from vertices and half from frames. The largest has 400 MB
 * of textures; PNG takes half the bytes a number, so it gets twice the frames.
 *
 * @param folder for the files
 */
export async function measureWholeBakes(folder: string, encoding: 'exr' | 'rgba16'): Promise<WholeBake[]> {
  const bakes: WholeBake[] = []
  for (const [factor, rounds] of [[1, 3], [2, 1], [4, 1]]) {
    const vertexCount = 25_000 * factor
    const frameCount = (encoding === 'exr' ? 42 : 84) * factor
    const model = join(folder, 'tube.glb')
    await writeTube(model, vertexCount, frameCount)
    const runs = []
    for (let round = 0; round < rounds; round++) runs.push(await bakeWhole({ model, clip: 'Swing', encoding }, RATE, folder))
    const { textures } = runs[0].result.sidecar
    const bytesPerNumber = encoding === 'exr' ? 4 : 2
    bakes.push({
      encoding,
      vertexCount,
      frameCount,
      textureBytes: textures.reduce((sum, { width, height, channels }) => sum + width * height * channels.length * bytesPerNumber, 0),
      peakBytes: Math.max(...runs.map((run) => run.peakBytes)),
      seconds: median(runs.map((run) => run.seconds)),
      processorSeconds: median(runs.map((run) => run.processorSeconds)),
    })
  }
  return bakes
}
