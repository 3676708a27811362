import type { AnimatedModel } from '../../main/model/animated-model.ts'

/** Each joint with the nearest joint above it, node numbers; joints of several skins once. */
export function bonesOf({ nodes, skins }: Pick<AnimatedModel, 'nodes' | 'skins'>): [joint: number, parent: number][] {
  const joints = new Set(skins.flatMap((skin) => skin.joints))
  const bones: [number, number][] = []
  for (const joint of joints) {
    let parent = nodes[joint].parent
    while (parent >= 0 && !joints.has(parent)) parent = nodes[parent].parent
    if (parent >= 0) bones.push([joint, parent])
  }
  return bones
}
