import { BoundingInfo, type Scene, Vector3, VertexBuffer } from 'babylonjs'
import type { AnimatedModel, Pose } from '../../main/model/animated-model.ts'
import { createBox, growBox, type Box } from '../../main/model/box.ts'
import { createEvaluator } from '../../main/model/evaluate.ts'
import { spaceMatrix } from '../../main/targets/target.ts'
import type { ModelPreview } from '../../main/worker/preview-contract.ts'
import { loadGlb, type LoadedGlb } from './load-glb.ts'

/** The model as it is, with Babylon's materials and our vertices. */
export interface Original extends LoadedGlb {
  vertexCount: number
  triangleCount: number
  /** Box around the vertices as they are now, in metres. */
  bounds: Box
  /** Moves all vertices to where a pose has them. */
  show(pose: Pose): void
  dispose(): void
}

/** Loads the model at rest; `show` overwrites its vertices with what the core's evaluator makes of a pose. */
export async function createOriginal(preview: ModelPreview, model: AnimatedModel, scene: Scene): Promise<Original> {
  const loaded: LoadedGlb = await loadGlb(preview.restMesh, scene)
  const { meshes, container } = loaded
  const chosen = model.meshes.map((_, index) => index)
  const evaluator = createEvaluator(model, chosen, spaceMatrix(['+x', '+y', '+z'], 1))
  const frame = evaluator.createFrame({ normals: true, tangents: model.meshes.some((mesh) => mesh.tangents !== null) })

  const parts = meshes.map((mesh, index) => {
    const first = evaluator.firstVertices[index]
    const end = first + model.meshes[index].vertexCount
    const updatable = (kind: string, array: Float32Array) => {
      mesh.setVerticesData(kind, array.slice(), true)
      return { kind, array }
    }
    const buffers = [
      updatable(VertexBuffer.PositionKind, frame.positions.subarray(first * 3, end * 3)),
      updatable(VertexBuffer.NormalKind, frame.normals!.subarray(first * 3, end * 3)),
    ]
    if (mesh.isVerticesDataPresent(VertexBuffer.TangentKind) && frame.tangents) {
      buffers.push(updatable(VertexBuffer.TangentKind, frame.tangents.subarray(first * 4, end * 4)))
    }
    return { mesh, buffers }
  })

  const original: Original = {
    ...loaded,
    vertexCount: evaluator.vertexCount,
    triangleCount: model.meshes.reduce((sum, mesh) => sum + mesh.indices.length / 3, 0),
    bounds: createBox(),
    show(pose) {
      evaluator.evaluate(pose, frame)
      const bounds = createBox()
      growBox(bounds, frame.positions)
      original.bounds = bounds
      for (const { mesh, buffers } of parts) {
        // The data is passed on as it is: Babylon would measure it again for bounds that are known here.
        for (const { kind, array } of buffers) mesh.getVertexBuffer(kind)!.update(array)
        mesh.setBoundingInfo(new BoundingInfo(Vector3.FromArray(bounds.min), Vector3.FromArray(bounds.max)))
      }
    },
    dispose: () => container.dispose(),
  }
  original.show(preview.restPose)
  return original
}
