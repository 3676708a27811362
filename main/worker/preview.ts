import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { LookedAtModel } from '../bake/preview.ts'
import type { FrameError } from '../bake/measure.ts'
import type { Sidecar } from '../bake/sidecar.ts'
import type { TexelArray } from '../codecs/texel.ts'
import { createPose, type AnimatedModel, type Clip } from '../model/animated-model.ts'
import { Problem } from '../model/problem.ts'
import type { Channel } from './channel.ts'
import { faultOf } from './fault.ts'
import {
  previewMessage,
  type ErrorCurve,
  type ModelPreview,
  type OpenedBake,
  type PreviewReply,
  type PreviewRequest,
  type PreviewResults,
} from './preview-contract.ts'

/** A request waits this long for the grant of its token, which comes by another way. */
const GRANT_PATIENCE = 2000
/** A measurement keeps the thread for at most this long before other requests (a pose) are answered. */
const BREATH_INTERVAL = 15

/** The paths that the main process lets the window look at. */
export interface Grants {
  /** Remembers what a token stands for. */
  add(token: string, file: string): void
  /**
   * The path behind a token.
   *
   * @throws Problem `input` for a token that was never granted
   */
  find(token: string): Promise<string>
}

export function createGrants(patience = GRANT_PATIENCE): Grants {
  const files = new Map<string, string>()
  const waiting = new Map<string, Set<(file: string) => void>>()
  return {
    add(token, file) {
      files.set(token, file)
      for (const resolve of waiting.get(token) ?? []) resolve(file)
      waiting.delete(token)
    },
    find(token) {
      const file = files.get(token)
      if (file !== undefined) return Promise.resolve(file)
      return new Promise((resolve, reject) => {
        const refuse = () => reject(new Problem('input', 'This file was not chosen by anybody. Open it through the menu.'))
        const patienceOver = setTimeout(refuse, patience)
        const found = (file: string) => {
          clearTimeout(patienceOver)
          resolve(file)
        }
        waiting.set(token, (waiting.get(token) ?? new Set()).add(found))
      })
    },
  }
}

interface OpenModel {
  kind: 'model'
  file: string
  look: LookedAtModel
}

interface OpenBake {
  kind: 'bake'
  file: string
  sidecar: Sidecar
  /** What was not given yet. */
  textures: { rowLength: number; height: number; nextRow: number; texels: TexelArray | null }[]
}

/**
 * Answers the preview requests that come through a channel until it closes. What was opened through it is forgotten then.
 * Knows nothing of threads or Electron. The contract is in preview-contract.ts.
 */
export function servePreview(channel: Channel, grants: Grants): void {
  const opened = new Map<string, OpenModel | OpenBake>()
  let lastHandle = 0
  let closed = false

  function keep(entry: OpenModel | OpenBake): string {
    const handle = `${entry.kind}-${++lastHandle}`
    opened.set(handle, entry)
    return handle
  }

  function get<Kind extends 'model' | 'bake'>(kind: Kind, handle: string): Extract<OpenModel | OpenBake, { kind: Kind }> {
    const entry = opened.get(handle)
    if (entry?.kind === kind) return entry as Extract<OpenModel | OpenBake, { kind: Kind }>
    throw new Problem('input', `This ${kind} is not open any more. Open it again.`)
  }

  async function open(token: string): Promise<ModelPreview> {
    const file = await grants.find(token)
    const { lookAtModel } = await core()
    const look = await lookAtModel(file)
    const { model, sha256 } = look.loaded
    return {
      handle: keep({ kind: 'model', file, look }),
      file: basename(file),
      sha256,
      bytes: (await stat(file)).size,
      nodes: model.nodes,
      skins: model.skins,
      morphSets: model.morphSets,
      materials: model.materials,
      clips: model.clips,
      warnings: model.warnings,
      meshes: model.meshes.map(({ attributes: _, ...mesh }) => mesh),
      restPose: look.restPose,
      bounds: look.bounds,
      restMesh: look.restMesh,
    }
  }

  function pose({ model: handle, clip, time }: Extract<PreviewRequest, { kind: 'pose' }>): PreviewResults['pose'] {
    const { model } = get('model', handle).look.loaded
    const pose = createPose(model)
    model.pose(clip === null ? null : clipOf(model, clip), time, pose)
    return pose
  }

  async function openBake(token: string): Promise<OpenedBake> {
    const file = await grants.find(token)
    const { lookAtBake } = await core()
    const { sidecar, textures, submeshes, restMesh } = await lookAtBake(file)
    const kept = textures.map(({ width, channels, height, texels }) => ({ rowLength: width * channels, height, nextRow: 0, texels }))
    return {
      handle: keep({ kind: 'bake', file, sidecar, textures: kept }),
      sidecar,
      textures: textures.map(({ texels: _, ...texture }) => texture),
      submeshes: submeshes.map(({ name, positions, indexUV }) => ({ name, positions, indexUV })),
      restMesh,
    }
  }

  function texels(request: Extract<PreviewRequest, { kind: 'texels' }>): TexelArray {
    const { firstRow, rowCount } = request
    const texture = get('bake', request.bake).textures[request.texture]
    if (!texture?.texels || firstRow !== texture.nextRow || firstRow + rowCount > texture.height) {
      throw new RangeError(`rows ${firstRow} to ${firstRow + rowCount} of texture ${request.texture} cannot be had`)
    }
    // A copy: a view would be sent with all that it is a view of.
    const rows = texture.texels.slice(firstRow * texture.rowLength, (firstRow + rowCount) * texture.rowLength)
    texture.nextRow += rowCount
    if (texture.nextRow === texture.height) texture.texels = null
    return rows
  }

  async function errors(request: Extract<PreviewRequest, { kind: 'errors' }>): Promise<ErrorCurve> {
    const bake = get('bake', request.bake)
    const { loaded } = get('model', request.model).look
    const { measureClipErrors } = await core()
    const measured: FrameError[] = []
    let breath = performance.now()
    for await (const some of measureClipErrors(bake.file, bake.sidecar, request.clip, loaded)) {
      measured.push(...some)
      if (closed) break
      if (performance.now() - breath < BREATH_INTERVAL) continue
      await new Promise((resolve) => setImmediate(resolve))
      breath = performance.now()
    }
    return {
      frames: Float64Array.from(measured, (error) => error.frame),
      times: Float64Array.from(measured, (error) => error.time),
      maxMillimetres: Float64Array.from(measured, (error) => error.maxMillimetres),
      rmsMillimetres: Float64Array.from(measured, (error) => error.rmsMillimetres),
      worstVertices: Uint32Array.from(measured, (error) => error.vertex),
    }
  }

  function answer(request: PreviewRequest): PreviewResults[PreviewRequest['kind']] | Promise<PreviewResults[PreviewRequest['kind']]> {
    switch (request.kind) {
      case 'open':
        return open(request.token)
      case 'pose':
        return pose(request)
      case 'openBake':
        return openBake(request.token)
      case 'texels':
        return texels(request)
      case 'errors':
        return errors(request)
      case 'close':
        opened.delete(request.handle)
        return null
    }
  }

  async function reply(id: number, request: PreviewRequest): Promise<void> {
    const tell = (reply: PreviewReply) => void (closed || channel.post(reply))
    try {
      tell({ id, ok: true, result: await answer(request) })
    } catch (error) {
      const { kind, message } = faultOf(error)
      tell({ id, ok: false, kind, message })
    }
  }

  channel.onMessage((message) => {
    const parsed = previewMessage.safeParse(message)
    if (parsed.success) return void reply(parsed.data.id, parsed.data.request)
    const id = (message as { id?: unknown } | null | undefined)?.id
    if (typeof id !== 'number') return
    channel.post({ id, ok: false, kind: 'internal', message: `The preview does not understand the request: ${parsed.error.message}` })
  })

  channel.onClose(() => {
    closed = true
    opened.clear()
  })
}

/** The core, loaded when it is first asked for: a worker that bakes has no use for it here. */
const core = () => import('../bake/preview.ts')

function clipOf(model: AnimatedModel, index: number): Clip {
  const clip = model.clips[index]
  if (!clip) throw new Problem('input', `The model has ${model.clips.length} clips, and none with the number ${index}. Open it again.`)
  return clip
}
