/** Offset basis and prime of FNV-1a with 128 bits (draft-eastlake-fnv). */
const BASIS = 0x6c62272e07bb014262b821756295c58dn
const PRIME = 0x0000000001000000000000000000013bn
const MASK = (1n << 128n) - 1n

/** 32 hexadecimal digits that follow from a text, as Unity names its assets: the FNV-1a hash of its UTF-8. */
export function guidOf(text: string): string {
  let hash = BASIS
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * PRIME) & MASK
  return hash.toString(16).padStart(32, '0')
}
