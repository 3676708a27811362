import { Document, NodeIO } from '@gltf-transform/core'

/** A wedge without any symmetry, in glTF's space, which goes from where it is by (5, 6, 7) metres within a second. */
export const WEDGE = {
  corners: [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]],
  normals: [[0, 0, 1], [0.6, 0, 0.8], [0, 1, 0], [0.36, 0.48, 0.8]],
  tangents: [[1, 0, 0, 1], [0.8, 0, -0.6, 1], [1, 0, 0, -1], [0.8, -0.6, 0, 1]],
  uvs: [[0.125, 0.25], [0.5, 0.75], [1, 0], [0.375, 0.875]],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
  way: [5, 6, 7],
}

export async function writeWedge(file: string): Promise<void> {
  const document = new Document()
  const buffer = document.createBuffer()
  const accessor = (numbers: number[][], type: 'VEC2' | 'VEC3' | 'VEC4' | 'SCALAR') =>
    document.createAccessor().setArray(new Float32Array(numbers.flat())).setType(type).setBuffer(buffer)
  const primitive = document
    .createPrimitive()
    .setMaterial(document.createMaterial('Wedge'))
    .setIndices(document.createAccessor().setArray(new Uint16Array(WEDGE.triangles)).setType('SCALAR').setBuffer(buffer))
    .setAttribute('POSITION', accessor(WEDGE.corners, 'VEC3'))
    .setAttribute('NORMAL', accessor(WEDGE.normals, 'VEC3'))
    .setAttribute('TANGENT', accessor(WEDGE.tangents, 'VEC4'))
    .setAttribute('TEXCOORD_0', accessor(WEDGE.uvs, 'VEC2'))
  const node = document.createNode('wedge').setMesh(document.createMesh('wedge').addPrimitive(primitive))
  document.getRoot().setDefaultScene(document.createScene().addChild(node))
  const sampler = document.createAnimationSampler().setInput(accessor([[0], [1]], 'SCALAR')).setOutput(accessor([[0, 0, 0], WEDGE.way], 'VEC3'))
  const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath('translation').setSampler(sampler)
  document.createAnimation('Go').addSampler(sampler).addChannel(channel)
  await new NodeIO().write(file, document)
}
