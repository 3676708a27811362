/** What kind of fault a {@link Problem} is; it decides the exit status of the command line. */
export type ProblemKind =
  /** The request itself is wrong (an unknown option, a clip that is not in the file): exit status 2. */
  | 'usage'
  /** The file cannot be read, is broken, or holds nothing that can be baked: exit status 1. */
  | 'input'
  /** A size limit is exceeded; the message says which, with the numbers: exit status 1. */
  | 'limit'
  /** Reading or writing the disk failed: exit status 1. */
  | 'output'
  /** The result was measured and is not good enough: exit status 1. */
  | 'verify'
  /** The work was called off: exit status 130, as a shell reports an interrupt. */
  | 'cancelled'

/**
 * A fault that a person can act on. The message is whole sentences: the first names the file and says what is wrong,
 * with the numbers; the next says what to do. Anything else that is thrown is a defect of ours.
 *
 * It may quote a file, but never its control characters: a terminal would obey them.
 */
export class Problem extends Error {
  override readonly name = 'Problem'

  constructor(
    readonly kind: ProblemKind,
    message: string,
  ) {
    super(message.replace(/\p{Cc}+/gu, '\uFFFD'))
  }
}

/** The exit status that the command line reports for a kind of problem. */
export function exitStatusOf(kind: ProblemKind): 1 | 2 | 130 {
  if (kind === 'usage') return 2
  return kind === 'cancelled' ? 130 : 1
}
