import type { BakeResult, InspectResult, PictureResult, PlanResult, VerifyResult } from '../../main/bake/contract.ts'
import { bakeOptions } from '../../main/bake/options.ts'
import type { Sidecar } from '../../main/bake/sidecar.ts'
import type { JobRequest } from '../../main/jobs/contract.ts'

/*
 * Requests and results that follow the contract, for tests of what passes them on and shows them.
 */

export const requests = {
  bake: { kind: 'bake', model: '/models/Fox.glb', options: bakeOptions.parse({ anim: ['Run'], output: '/project/out' }) },
  plan: { kind: 'plan', model: '/models/Fox.glb', options: bakeOptions.parse({ anim: ['Run'], output: '/project/out' }) },
  verify: { kind: 'verify', sidecar: '/project/out/Run.json', model: '/models/Fox.glb' },
  inspect: { kind: 'inspect', model: '/models/Fox.glb' },
  picture: { kind: 'picture', sidecar: '/project/out/Run.json', size: 256 },
} satisfies { [Kind in JobRequest['kind']]: Extract<JobRequest, { kind: Kind }> }

const hash = 'a'.repeat(64)
const bounds: Sidecar['bounds'] = { min: [-25, 0, -80], max: [25, 75, 60] }
const worst = (frame: number, vertex: number) => ({ clip: 0, frame, vertex })
const distance = { maxMillimetres: 1.4712, rmsMillimetres: 0.5, maxPercent: 0.00085, rmsPercent: 0.0003, worst: worst(12, 77) }
const between = { maxMillimetres: 1620.4, rmsMillimetres: 300, maxPercent: 0.94, rmsPercent: 0.17, worst: worst(12.5, 3) }
const angle = { maxDegrees: 0.00321, rmsDegrees: 0.001, worst: worst(4, 9) }
const angleBetween = { maxDegrees: 1.25, rmsDegrees: 0.4, worst: worst(7.5, 8) }

export const sidecar: Sidecar = {
  format: 'vat-studio',
  version: 1,
  generator: 'VAT Studio 0.1.0',
  name: 'Run',
  target: 'agnostic',
  encoding: 'rgba16',
  frameCount: 35,
  vertexCount: 1728,
  columnCount: 1728,
  fps: 30.2,
  bounds,
  source: { file: 'Fox.glb', sha256: hash, meshes: [0] },
  space: { handedness: 'right', up: '+Y', unit: 'metre', uvOrigin: 'top-left', axesFromGltf: ['+x', '+y', '+z'], scale: 1 },
  layout: { columnsPerRow: 1728, rowsPerFrame: 1, orientation: 'frames-y', guardRows: 0 },
  textures: [
    { role: 'position', file: 'Run_pos.png', sha256: hash, width: 1728, height: 35, baseRow: 0, baseColumn: 0, channels: 'rgb', type: 'unorm16', content: 'position', scale: [50, 75, 140], offset: [-25, 0, -80] },
    { role: 'normal', file: 'Run_nrm.png', sha256: hash, width: 1728, height: 35, baseRow: 0, baseColumn: 0, channels: 'rgb', type: 'unorm16', content: 'xyz', scale: [2, 2, 2], offset: [-1, -1, -1] },
  ],
  clips: [{ name: 'Run', index: 2, start: 0, firstRow: 0, frameCount: 35, fps: 30.2, duration: 1.158, loop: true, seam: 0.0000021, bounds }],
  rest: 'rest',
  parts: [{ mode: 'vertex', meshes: [0] }],
  meshes: [
    { file: 'Run_mesh.glb', sha256: hash, resources: [], lod: 0, indexUV: 'TEXCOORD_1', submeshes: [{ name: 'fox1', material: 'fox_material', vertexCount: 1728 }] },
  ],
  report: {
    position: { ...distance, betweenSamples: between, clips: [{ ...distance, betweenSamples: between }] },
    normal: { ...angle, betweenSamples: angleBetween, clips: [{ ...angle, betweenSamples: angleBetween }] },
  },
  warnings: [{ code: 'primitive-skipped', message: '2 primitives of points or lines were left out.', count: 2 }],
}

export const results: { bake: BakeResult; plan: PlanResult; verify: VerifyResult; inspect: InspectResult; picture: PictureResult } = {
  bake: {
    folder: '/project/out',
    sidecarFile: '/project/out/Run.json',
    sidecar,
    files: [
      { role: 'position', file: '/project/out/Run_pos.png', bytes: 312_400 },
      { role: 'normal', file: '/project/out/Run_nrm.png', bytes: 298_000 },
      { role: 'mesh', file: '/project/out/Run_mesh.glb', bytes: 162_852 },
      { role: 'sidecar', file: '/project/out/Run.json', bytes: 3120 },
    ],
    external: [],
    seconds: { reading: 0.21, measuring: 0.05, encoding: 0.4, writing: 0.31, verifying: 0.27, total: 1.24 },
    waste: 0,
    choices: [],
    withinLimit: true,
  },
  plan: {
    name: 'Run',
    folder: '/project/out',
    vertexCount: 1728,
    columnCount: 1728,
    clips: [{ name: 'Run', start: 0, duration: 1.158, frameCount: 35, fps: 30.2, loop: true, seam: 0.0000021 }],
    layout: sidecar.layout,
    encoding: 'exr16',
    waste: 0,
    choices: [],
    textures: [{ role: 'position', file: '/project/out/Run_pos.exr', width: 1728, height: 35, bytes: 483_840 }],
    meshes: ['fox1'],
    external: [],
    warnings: [],
  },
  verify: {
    sidecarFile: '/project/out/Run.json',
    damaged: [],
    model: '/models/Fox.glb',
    modelChanged: false,
    asReported: true,
    report: sidecar.report,
    sidecar,
    withinLimit: true,
  },
  inspect: {
    file: '/models/Fox.glb',
    sha256: hash,
    external: [],
    vertexCount: 1728,
    triangleCount: 576,
    size: [25.19, 78.9, 154.6],
    meshes: [
      { index: 0, name: 'fox1', node: 'fox', material: 'fox_material', vertexCount: 1728, triangleCount: 576, movedBy: 'skin', influences: 4, morphTargets: 0, hasNormals: false },
    ],
    skins: [{ name: 'root', joints: 24 }],
    clips: [
      {
        index: 2,
        name: 'Run',
        start: 0,
        end: 1.158,
        duration: 1.158,
        frameCount: 35,
        encodings: [
          { encoding: 'rgba8', bytes: 241_920, problem: null },
          { encoding: 'exr16', bytes: 483_840, problem: null },
        ],
      },
    ],
    materials: ['fox_material'],
    warnings: [],
  },
  picture: {
    sidecarFile: '/project/out/Run.json',
    pictures: [{ file: 'Run_pos.png', roles: ['position'], width: 1728, height: 35, png: 'iVBORw0KGgo=' }],
  },
}
