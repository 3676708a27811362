/** Lets in as much weight at a time as there is room for. */
export interface Gate {
  /**
   * Waits for room, in the order of asking. What is heavier than all of the room goes in alone.
   *
   * @returns what gives the room back
   */
  enter(weight: number): Promise<() => void>
}

export function createGate(room: number): Gate {
  const waiting: { weight: number; admit(): void }[] = []
  let inside = 0
  let weight = 0

  function admit(): void {
    while (waiting.length > 0 && (inside === 0 || weight + waiting[0].weight <= room)) {
      const next = waiting.shift()!
      inside++
      weight += next.weight
      next.admit()
    }
  }

  return {
    async enter(own) {
      await new Promise<void>((resolve) => {
        waiting.push({ weight: own, admit: resolve })
        admit()
      })
      return () => {
        inside--
        weight -= own
        admit()
      }
    },
  }
}
