/** One of the directions of a space, by its axis. */
export type Direction = '+X' | '-X' | '+Y' | '-Y' | '+Z' | '-Z'

/** The space that an FBX file says it is in. FBX files are right-handed, so that the third direction follows from two. */
export interface FbxSpace {
  up: Direction
  /** Towards whoever looks at the front of the model. */
  front: Direction
  unitsPerMetre: number
}

/**
 * The same as FBX says it (`FbxAxisSystem` of the SDK): the numbers of the axes that point up, to the front, and to the right of
 * whoever looks from there, each with a sign.
 */
export function axisSettings({ up, front }: FbxSpace): Record<'up' | 'front' | 'coord', SignedNumber> {
  const [upAxis, frontAxis] = [parse(up), parse(front)]
  const coordAxis = 3 - upAxis[0] - frontAxis[0]
  // right = up × front: positive where the three axes follow each other in the order xyz.
  const isCyclic = (upAxis[0] + 1) % 3 === frontAxis[0]
  return { up: upAxis, front: frontAxis, coord: [coordAxis, upAxis[1] * frontAxis[1] * (isCyclic ? 1 : -1)] }
}

type SignedNumber = [axis: number, sign: number]

function parse(direction: Direction): SignedNumber {
  return ['XYZ'.indexOf(direction[1]), direction[0] === '-' ? -1 : 1]
}
