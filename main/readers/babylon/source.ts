import { z } from 'zod'
import { Problem } from '../../model/problem.ts'
import { shortened } from '../../model/shortened.ts'
import { schemaFault } from '../schema-fault.ts'

const key = z.union([z.string(), z.number()])
const color = z.array(z.number()).min(3).max(4).nullish()
const number = z.number().nullish()

const texture = z.looseObject({
  name: z.string().nullish(),
  base64String: z.string().nullish(),
  hasAlpha: z.boolean().nullish(),
  coordinatesIndex: number,
  uOffset: number,
  vOffset: number,
  uScale: number,
  vScale: number,
  wAng: number,
  wrapU: number,
  wrapV: number,
})

const material = z.looseObject({
  name: z.string().nullish(),
  id: key.nullish(),
  customType: z.string().nullish(),
  alpha: number,
  diffuse: color,
  emissive: color,
  specularPower: number,
  albedo: color,
  albedoColor: color,
  baseColor: color,
  metallic: number,
  roughness: number,
  backFaceCulling: z.boolean().nullish(),
  diffuseTexture: texture.nullish(),
  albedoTexture: texture.nullish(),
  baseTexture: texture.nullish(),
  bumpTexture: texture.nullish(),
  normalTexture: texture.nullish(),
  emissiveTexture: texture.nullish(),
  ambientTexture: texture.nullish(),
  occlusionTexture: texture.nullish(),
})

const mesh = z.looseObject({
  name: z.string().nullish(),
  id: key.nullish(),
  materialId: key.nullish(),
  subMeshes: z.array(z.looseObject({ materialIndex: z.int(), indexStart: z.int(), indexCount: z.int() })).nullish(),
  lodMeshIds: z.array(key).nullish(),
  delayLoadingFile: z.string().nullish(),
})

/** The parts of a .babylon file that are read here; the rest is Babylon's to read. */
const babylon = z.looseObject({
  meshes: z.array(mesh).min(1),
  materials: z.array(material).nullish(),
  multiMaterials: z.array(z.looseObject({ id: key.nullish(), materials: z.array(key.nullable()) })).nullish(),
})

export type BabylonSource = z.output<typeof babylon>
export type BabylonMaterial = z.output<typeof material>
export type BabylonTexture = z.output<typeof texture>
export type BabylonMesh = z.output<typeof mesh>

/** @throws Problem for what is no JSON, or no Babylon scene with meshes whose geometry is in the file */
export function parseBabylon(file: string, bytes: Uint8Array): BabylonSource {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new Problem('input', `${file} is broken: its JSON cannot be read (${shortened((error as Error).message, 100)}). Export the model again.`)
  }
  const parsed = babylon.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue.path.length > 0 ? schemaFault(issue) : 'its JSON is no scene'
    throw new Problem('input', `${file} is broken: ${where}. Export the model again, with its meshes.`)
  }
  const elsewhere = parsed.data.meshes.filter(({ delayLoadingFile }) => delayLoadingFile)
  if (elsewhere.length > 0) {
    const [{ delayLoadingFile }] = elsewhere
    throw new Problem(
      'input',
      `${file} keeps the vertices of ${elsewhere.length} of its ${parsed.data.meshes.length} meshes in other files (${shortened(String(delayLoadingFile))}), which cannot be read. Export it as one .babylon file.`,
    )
  }
  return parsed.data
}
