/** Names that Windows keeps for devices, with any extension and with spaces before it. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i

/** Bytes of a name: with what is put before and behind it a file name stays below the 255 that file systems take. */
const LONGEST = 100

/**
 * Turns any name into one that every file system takes, inside one folder: no path separators, no characters or device
 * names that Windows refuses, nothing that turns the direction of writing, no leading or trailing dots and spaces, at most
 * 100 UTF-8 bytes (and one for `_` before a device name).
 *
 * @param fallback used where nothing of the name is left
 */
export function safeFileName(name: string, fallback: string): string {
  const cleaned = name
    .normalize('NFC')
    // eslint-disable-next-line no-control-regex -- control characters are what is to be found
    .replace(/[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '_')
    // Lone surrogates cannot be written as UTF-8.
    .replace(/\p{Surrogate}/gu, '_')
    .replace(/^[. ]+/, '')
  const short = trimBytes(cleaned, LONGEST).replace(/[. ]+$/, '')
  if (short === '' || /^_+$/.test(short)) return fallback
  return RESERVED.test(short) ? `_${short}` : short
}

/**
 * Safe names of several things, each another's than the others' on every disk: where the letters of two differ in case only,
 * or in how they are encoded, the later one gets a number. A name does not depend on which of them is asked for.
 *
 * @returns `[name]`
 */
export function safeFileNames(names: string[], fallback: string): string[] {
  const safe = names.map((name) => safeFileName(name, fallback))
  const own = new Set(safe.map(foldCase))
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  return safe.map((name) => {
    const folded = foldCase(name)
    let unique = name
    // A numbered name must not be what another is called from the start.
    for (let number = numbers.get(folded) ?? 2; taken.has(foldCase(unique)) || (unique !== name && own.has(foldCase(unique))); number++) {
      unique = `${name}_${number}`
      numbers.set(folded, number + 1)
    }
    taken.add(foldCase(unique))
    return unique
  })
}

/** What is the same for two names that some disk takes for one. */
function foldCase(name: string): string {
  return name.normalize('NFKC').replace(/\p{Cf}/gu, '').toUpperCase().toLowerCase().normalize('NFKC')
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
