/** Names that Windows keeps for devices, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i

/**
 * Turns any name into one that every file system takes, inside one folder: no path separators, no characters or device
 * names that Windows refuses, no leading or trailing dots and spaces, at most 100 UTF-8 bytes.
 *
 * @param fallback used where nothing of the name is left
 */
export function safeFileName(name: string, fallback: string): string {
  const cleaned = name
    .normalize('NFC')
    // eslint-disable-next-line no-control-regex -- control characters are what is to be found
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*\u2028\u2029]/g, '_')
    // Lone surrogates cannot be written as UTF-8.
    .replace(/\p{Surrogate}/gu, '_')
    .replace(/^[. ]+/, '')
  const short = trimBytes(cleaned, 100).replace(/[. ]+$/, '')
  if (short === '' || /^_+$/.test(short)) return fallback
  return RESERVED.test(short) ? `_${short}` : short
}

/** Cuts a text between characters so that it takes at most that many UTF-8 bytes. */
function trimBytes(text: string, limit: number): string {
  const encoder = new TextEncoder()
  let kept = ''
  let bytes = 0
  for (const character of text) {
    bytes += encoder.encode(character).length
    if (bytes > limit) break
    kept += character
  }
  return kept
}
