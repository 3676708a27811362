const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]

/**
 * How much a JSON text will become once it is parsed, told from its bytes alone: objects take many times the room of their
 * text, and whatever walks through deeply nested ones runs out of stack. Of a text that is no JSON the figures mean nothing.
 */
export function measureJson(bytes: Uint8Array): { values: number; depth: number } {
  let values = 1
  let depth = 0
  let deepest = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) i = endOfString(bytes, i)
    else if (byte === COMMA) values++
    else if (OPENING.includes(byte)) {
      values++
      depth++
      if (depth > deepest) deepest = depth
    } else if (CLOSING.includes(byte)) depth--
  }
  return { values, depth: deepest }
}

/** Position of the quotation mark that ends the string which begins at `start`, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let from = start + 1; ; ) {
    const end = bytes.indexOf(QUOTE, from)
    if (end < 0) return bytes.length
    let backslashes = 0
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
    from = end + 1
  }
}
