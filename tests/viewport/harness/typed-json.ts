/** JSON that also carries typed arrays, as a message port does. */
const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int8Array, Int16Array, Float32Array, Float64Array }

type ArrayName = keyof typeof ARRAYS
interface Packed {
  $array: ArrayName
  base64: string
}

export function packTyped(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (!ArrayBuffer.isView(part)) return part
    return { $array: part.constructor.name, base64: toBase64(new Uint8Array(part.buffer, part.byteOffset, part.byteLength)) }
  })
}

export function unpackTyped(text: string): unknown {
  return JSON.parse(text, (_, part: Packed | null) => {
    if (!part?.$array) return part
    const bytes = Uint8Array.from(atob(part.base64), (letter) => letter.charCodeAt(0))
    return new ARRAYS[part.$array](bytes.buffer)
  })
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
