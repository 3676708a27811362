import { boxDiagonal, type Box } from '../../main/model/box.ts'

/** Distance between the lines of a grid that suits a model: 1, 2 or 5 times a power of ten. */
export function gridStep(bounds: Box): number {
  const wanted = Math.max(boxDiagonal(bounds), 1e-9) / 8
  const power = 10 ** Math.floor(Math.log10(wanted))
  const leading = wanted / power
  return power * (leading < 1.5 ? 1 : leading < 3.5 ? 2 : leading < 7.5 ? 5 : 10)
}
