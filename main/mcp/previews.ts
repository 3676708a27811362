import { basename } from 'node:path'
import { Problem } from '../model/problem.ts'
import { checkSet } from './check-set.ts'
import type { ToolContext } from './tool.ts'

const ADDRESS = 'vat-studio://preview/'
/** Largest width and height in pixels. */
const SIZE = 512

export const previewTemplate = {
  uriTemplate: `${ADDRESS}{role}{?sidecar}`,
  name: 'texture-preview',
  title: 'Preview of a texture',
  description: 'A small picture of a texture of a bake. role: position, normal, …; sidecar: path of the .json file of the bake.',
  mimeType: 'image/png',
}

export function previewUri(sidecarFile: string, role: string): string {
  return `${ADDRESS}${encodeURIComponent(role)}?sidecar=${encodeURIComponent(sidecarFile)}`
}

/** Links to the pictures of a bake. */
export function previewLinks({ sidecarFile, roles }: { sidecarFile: string; roles: string[] }) {
  return roles.map((role) => ({
    type: 'resource_link' as const,
    uri: previewUri(sidecarFile, role),
    name: `${role} texture of ${basename(sidecarFile, '.json')}`,
    mimeType: previewTemplate.mimeType,
  }))
}

/**
 * Draws a texture; null where the address is not one of a preview.
 *
 * @throws Problem where there is no such texture
 */
export async function readPreview(
  uri: string,
  { roots, run }: ToolContext,
): Promise<{ uri: string; mimeType: string; blob: string } | null> {
  if (!uri.startsWith(ADDRESS) || !URL.canParse(uri)) return null
  const { pathname, searchParams } = new URL(uri)
  const role = decodeURIComponent(pathname.slice(1))
  const sidecar = searchParams.get('sidecar')
  if (sidecar === null) throw new Problem('usage', `${uri} names no bake. Add ?sidecar= with the path of its .json file.`)
  const file = await roots.resolve(sidecar)
  await checkSet(file, roots)
  const { pictures } = await run<'picture'>({ kind: 'picture', sidecar: file, size: SIZE })
  const picture = pictures.find(({ roles }) => roles.includes(role))
  if (!picture) {
    throw new Problem('usage', `${basename(file)} has no texture of the role ${role}. It has ${pictures.flatMap(({ roles }) => roles).join(', ')}.`)
  }
  return { uri, mimeType: previewTemplate.mimeType, blob: picture.png }
}
