import type { Gltf } from './schema.ts'

/** Properties of nodes that channels could name without a pointer. */
const NODE_PROPERTY = /^\/nodes\/(\d{1,9})\/(translation|rotation|scale|weights)$/

/** Turns the pointers of KHR_animation_pointer that move nodes into the channels that they stand for; others stay. */
export function resolvePointers(json: Gltf): Gltf {
  if (!json.extensionsUsed.includes('KHR_animation_pointer')) return json
  const animations = json.animations.map((animation) => ({
    ...animation,
    channels: animation.channels.map((channel) => {
      const extensions = channel.target.extensions as Record<string, { pointer?: unknown } | undefined> | undefined
      const match = NODE_PROPERTY.exec(String(extensions?.KHR_animation_pointer?.pointer))
      return match ? { ...channel, target: { node: Number(match[1]), path: match[2] } } : channel
    }),
  }))
  return { ...json, animations }
}
