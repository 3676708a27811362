import { createTexelArray, texelBytes, type TexelArray } from '../../main/codecs/texel.ts'
import {
  type BakePreview,
  type BakeTexture,
  previewReply,
  type PreviewKind,
  type PreviewRequest,
  type PreviewResults,
} from '../../main/worker/preview-contract.ts'

/** What is needed of a `MessagePort`, the window's or Node's. */
export interface PreviewPort {
  postMessage(message: unknown): void
  onmessage: ((event: { data: unknown }) => void) | null
  close(): void
}

/** A request that the preview service refused, or that it cannot answer any more. The message is whole sentences. */
export class PreviewProblem extends Error {
  override readonly name = 'PreviewProblem'

  constructor(
    /** A `ProblemKind`, `internal`, or `gone` where the service has ended. */
    readonly kind: string,
    message: string,
  ) {
    super(message)
  }
}

type Asked<Kind extends PreviewKind> = Omit<Extract<PreviewRequest, { kind: Kind }>, 'kind'>

/** The window's side of the preview service. */
export interface PreviewClient {
  /** @throws PreviewProblem */
  ask<Kind extends PreviewKind>(kind: Kind, request: Asked<Kind>): Promise<PreviewResults[Kind]>
  open(token: string): Promise<PreviewResults['open']>
  /** Opens a bake and fetches all that is in its textures. */
  openBake(token: string): Promise<BakePreview>
  /** Whoever knows that the service has ended calls this: open requests fail, and so do later ones. */
  abandon(): void
}

/** Bytes of texels that come in one message: unpacking them takes this thread a few milliseconds. */
const PIECE_BYTES = 4_000_000

/** A client over a port whose other end is served by `servePreview`. */
export function createPreviewClient(port: PreviewPort): PreviewClient {
  const waiting = new Map<number, { settle(result: unknown): void; fail(problem: PreviewProblem): void }>()
  let lastId = 0
  let gone = false
  const goneProblem = () => new PreviewProblem('gone', 'The preview has stopped. Open the model again.')

  port.onmessage = ({ data }) => {
    const reply = previewReply.parse(data)
    const request = waiting.get(reply.id)
    if (!request) return
    waiting.delete(reply.id)
    if (reply.ok) request.settle(reply.result)
    else request.fail(new PreviewProblem(reply.kind, reply.message))
  }

  function ask<Kind extends PreviewKind>(kind: Kind, request: Asked<Kind>): Promise<PreviewResults[Kind]> {
    if (gone) return Promise.reject(goneProblem())
    const id = ++lastId
    return new Promise((resolve, reject) => {
      waiting.set(id, { settle: (result) => resolve(result as PreviewResults[Kind]), fail: reject })
      port.postMessage({ id, request: { kind, ...request } })
    })
  }

  async function fetchTexels(bake: string, index: number, texture: Omit<BakeTexture, 'texels'>): Promise<TexelArray> {
    const { width, height, channels, type, sameAs } = texture
    if (sameAs !== index) return createTexelArray(type, 0)
    const rowLength = width * channels
    const rowsAPiece = Math.max(1, Math.floor(PIECE_BYTES / (rowLength * texelBytes(type))))
    const texels = createTexelArray(type, rowLength * height)
    for (let firstRow = 0; firstRow < height; firstRow += rowsAPiece) {
      const rowCount = Math.min(rowsAPiece, height - firstRow)
      texels.set(await ask('texels', { bake, texture: index, firstRow, rowCount }), firstRow * rowLength)
    }
    return texels
  }

  async function openBake(token: string): Promise<BakePreview> {
    const bake = await ask('openBake', { token })
    const textures: BakeTexture[] = []
    for (const [index, texture] of bake.textures.entries()) {
      textures.push({ ...texture, texels: await fetchTexels(bake.handle, index, texture) })
    }
    return { ...bake, textures }
  }

  return {
    ask,
    open: (token) => ask('open', { token }),
    openBake,
    abandon() {
      gone = true
      port.close()
      for (const request of waiting.values()) request.fail(goneProblem())
      waiting.clear()
    },
  }
}
