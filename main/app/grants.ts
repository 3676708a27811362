import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { Grant } from '../../preload/api.ts'
import { Problem } from '../model/problem.ts'

/** The paths that the window may use. Each has one token, which stands for it until the program ends. */
export interface Grants {
  /** Gives a path, which a person has chosen, to the window. */
  give(kind: Grant['kind'], path: string): Grant
  /**
   * The grant of a token that the window sent.
   *
   * @throws Problem `usage` where no such grant was given, or one of another kind
   */
  take(token: string, ...kinds: Grant['kind'][]): Grant
  all(): Grant[]
  onGive(listener: (grant: Grant) => void): void
}

export function createGrants(): Grants {
  const byToken = new Map<string, Grant>()
  const listeners: ((grant: Grant) => void)[] = []

  return {
    give(kind, path) {
      const known = [...byToken.values()].find((grant) => grant.path === path && grant.kind === kind)
      if (known) return known
      const grant: Grant = { token: randomUUID(), kind, name: basename(path), path }
      byToken.set(grant.token, grant)
      for (const listener of listeners) listener(grant)
      return grant
    },
    take(token, ...kinds) {
      const grant = byToken.get(token)
      if (!grant || !kinds.includes(grant.kind)) {
        throw new Problem('usage', 'This file or folder was not chosen in this window. Open it through the menu, or drop it on the window.')
      }
      return grant
    },
    all: () => [...byToken.values()],
    onGive: (listener) => void listeners.push(listener),
  }
}
