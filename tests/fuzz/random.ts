/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  pick<Item>(items: readonly Item[]): Item
  chance(share: number): boolean
}

/** mulberry32, seeded with a run's seed and the number of a case in it. */
export function createRandom(seed: number, index = 0): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return { next, below, pick: (items) => items[below(items.length)], chance: (share) => next() < share }
}
