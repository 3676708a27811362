import type { BakeOptions, Encoding, NormalKind, Target } from '../../main/bake/options.ts'

/*
 * What the values of the options are called in the window. The records are complete by their types: a value that is added to
 * the schema does not compile until it has a name here.
 */

export const targetLabels: Record<Target, string> = {
  agnostic: 'Any engine',
  unity: 'Unity',
  unreal: 'Unreal 5',
  godot: 'Godot 4',
}

export const encodingLabels: Record<Encoding, string> = {
  rgba8: 'PNG 8-bit',
  rgba16: 'PNG 16-bit',
  exr16: 'EXR half',
  exr: 'EXR float',
}

export const contentLabels: Record<BakeOptions['content'], string> = {
  position: 'Position',
  offset: 'Offset',
}

export const normalLabels: Record<NormalKind, string> = {
  none: 'None',
  xyz: 'Vector',
  octahedral: 'Octahedral',
}

export const loopLabels: Record<BakeOptions['loop'], string> = {
  auto: 'Auto',
  on: 'On',
  off: 'Off',
}

export const meshFormatLabels: Record<BakeOptions['meshFormat'], string> = {
  glb: 'GLB',
  gltf: 'glTF',
}

/** What each option is called beside its field. */
export const optionLabels: Record<keyof BakeOptions, string> = {
  anim: 'Clips',
  fps: 'Frame rate',
  start: 'Start',
  end: 'End',
  frameRange: 'Frame range',
  frames: 'Frame count',
  loop: 'Loop',
  encoding: 'Encoding',
  content: 'Content',
  normals: 'Normals',
  mesh: 'Meshes',
  target: 'Target',
  meshFormat: 'Rest mesh',
  name: 'Name',
  scale: 'Scale',
  maxSize: 'Largest side',
  maxError: 'Error limit',
  output: 'Folder',
  overwrite: 'Replace files',
}

/**
 * A sentence more than the schema's, for terms of the field that stand as a label or as a choice.
 * Shown under the name of the choice in a tooltip.
 */
export const choiceHelp: Record<string, string> = {
  'encoding.rgba8': 'Three bytes a vertex. Every engine reads it, and steps are seen on large models.',
  'encoding.rgba16': 'Sixteen bits a number: fine steps, evenly spaced over the bounds.',
  'encoding.exr16': 'Half floats: finest around the middle of the bounds, coarser at its edges.',
  'encoding.exr': 'Whole floats: exactly what was computed, at twice the size of half floats.',
  'content.position': 'Positions in the space of the model.',
  'content.offset': 'Distances from the rest mesh, which are shorter than positions and so more exact.',
  'normals.none': 'No normals: fine where the surface is not lit.',
  'normals.xyz': 'A direction as three numbers.',
  'normals.octahedral': 'A direction packed into two numbers instead of three, within 1°.',
  'loop.auto': 'The clip loops when its end meets its start within 0.1 % of the size.',
  'loop.on': 'After the last frame comes the first one again.',
  'loop.off': 'The clip plays once; both of its ends are frames.',
  'meshFormat.glb': 'One file with everything in it.',
  'meshFormat.gltf': 'A text file with its buffer and images beside it.',
}
