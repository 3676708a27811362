/** Takes a message apart into its first sentence, which says what is wrong, and the others, which say what to do. */
export function splitSentence(message: string): { first: string; rest: string } {
  // A full stop inside of a name (Fox.glb) or a number is not followed by a space and a capital letter.
  const end = /[.!?]["”»)]?(?=\s+["“«(]?\p{Lu})/u.exec(message)
  if (!end) return { first: message.trim(), rest: '' }
  const at = end.index + end[0].length
  return { first: message.slice(0, at).trim(), rest: message.slice(at).trim() }
}
