// Reads a bake of VAT Studio (sidecar, textures, rest mesh) with nothing but what a browser has. Textures are decoded here: a browser
// would change the numbers of a PNG, and reads no EXR.

/**
 * @param {string | URL} url of the sidecar; the other files lie beside it
 * @returns {Promise<{ sidecar: object, submeshes: object[], textures: object[], layers: Record<string, object> }>} layers by role:
 *   the sidecar's, with `pixels`: { width, height, kind: 'byte' | 'half' | 'float', data: [row][x][rgba] }
 */
export async function readVat(url) {
  const sidecar = JSON.parse(new TextDecoder().decode(await download(url)))
  if (sidecar.format !== 'vat-studio' || sidecar.version !== 1) throw new Error(`${url} is not a bake of VAT Studio, version 1.`)
  const beside = (file) => new URL(encodeURIComponent(file), new URL(url, globalThis.location?.href))
  const pixels = new Map()
  const layers = {}
  for (const layer of sidecar.textures) {
    if (!pixels.has(layer.file)) pixels.set(layer.file, await decodeTexture(await download(beside(layer.file))))
    layers[layer.role] = { ...layer, pixels: pixels.get(layer.file) }
  }
  return { sidecar, layers, ...(await readMesh(beside, sidecar.meshes[0])) }
}

async function download(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} cannot be read (${response.status}).`)
  return new Uint8Array(await response.arrayBuffer())
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A PNG or EXR file as RGBA. A PNG of 16 bits becomes bytes, high ones above low ones, as an 8-bit texture can hold them. */
export async function decodeTexture(bytes) {
  return bytes[0] === 0x89 ? decodePng(bytes) : decodeExr(bytes)
}

/** PNG specification: section 5 (chunks), section 9 (filters). RGB and RGBA, 8 or 16 bits, not interlaced. */
async function decodePng(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const width = view.getUint32(16)
  const height = view.getUint32(20)
  const size = bytes[24] / 8
  const channels = bytes[25] === 6 ? 4 : 3
  const pieces = []
  for (let at = 8; at < bytes.length; at += view.getUint32(at) + 12) {
    if (view.getUint32(at + 4) === 0x49444154) pieces.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)))
  }
  const raw = await inflate(new Blob(pieces))
  const step = channels * size
  const rowBytes = width * step
  const data = new Uint8Array(width * height * 4 * size)
  let above = new Uint8Array(rowBytes)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (rowBytes + 1)]
    const row = raw.subarray(y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1))
    for (let i = 0; i < rowBytes; i++) {
      const left = i < step ? 0 : row[i - step]
      const up = above[i]
      const corner = i < step ? 0 : above[i - step]
      if (filter === 1) row[i] += left
      else if (filter === 2) row[i] += up
      else if (filter === 3) row[i] += (left + up) >> 1
      else if (filter === 4) row[i] += paeth(left, up, corner)
    }
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < channels; channel++) {
        const from = (x * channels + channel) * size
        const to = (y * width + x) * 4 + channel
        data[to] = row[from]
        if (size === 2) data[width * height * 4 + to] = row[from + 1]
      }
    }
    above = row
  }
  return { width, height: height * size, kind: 'byte', data }
}

function paeth(left, up, corner) {
  const estimate = left + up - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** OpenEXR file layout: scanlines, all channels half or all float; no compression, ZIPS or ZIP. */
async function decodeExr(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 8
  const text = () => {
    const end = bytes.indexOf(0, at)
    const value = String.fromCharCode(...bytes.subarray(at, end))
    at = end + 1
    return value
  }
  let channels = []
  let compression = 0
  let window = []
  for (let name = text(); name !== ''; name = text()) {
    text()
    const end = at + 4 + view.getInt32(at, true)
    at += 4
    if (name === 'compression') compression = bytes[at]
    if (name === 'dataWindow') window = [0, 4, 8, 12].map((offset) => view.getInt32(at + offset, true))
    if (name === 'channels') {
      for (channels = []; bytes[at] !== 0; ) {
        channels.push({ plane: 'RGBA'.indexOf(text()), isHalf: view.getInt32(at, true) === 1 })
        at += 16
      }
    }
    at = end
  }
  const width = window[2] - window[0] + 1
  const height = window[3] - window[1] + 1
  const isHalf = channels[0].isHalf
  const Numbers = isHalf ? Uint16Array : Float32Array
  const data = new Numbers(width * height * 4)
  const rowsOfBlock = compression === 3 ? 16 : 1
  const rowLength = width * channels.length
  for (let first = 0; first < height; first += rowsOfBlock, at += 8) {
    const place = Number(view.getBigUint64(at, true))
    const stored = bytes.slice(place + 8, place + 8 + view.getInt32(place + 4, true))
    const rows = Math.min(rowsOfBlock, height - first)
    const rawBytes = rows * rowLength * Numbers.BYTES_PER_ELEMENT
    // A block that would not get smaller is stored as it is.
    const raw = stored.length < rawBytes ? unshuffle(await inflate(stored)) : stored
    const numbers = new Numbers(raw.buffer, 0, rows * rowLength)
    for (let y = 0; y < rows; y++) {
      channels.forEach(({ plane }, index) => {
        const from = y * rowLength + index * width
        for (let x = 0; x < width; x++) data[((first + y) * width + x) * 4 + plane] = numbers[from + x]
      })
    }
  }
  return { width, height, kind: isHalf ? 'half' : 'float', data }
}

/** Undoes what EXR does before it compresses: differences of bytes, even bytes before odd ones. */
function unshuffle(bytes) {
  for (let i = 1; i < bytes.length; i++) bytes[i] += bytes[i - 1] - 128
  const out = new Uint8Array(bytes.length)
  const half = (bytes.length + 1) >> 1
  for (let i = 0; i < bytes.length; i++) out[i] = bytes[i & 1 ? half + (i >> 1) : i >> 1]
  return out
}

const NUMBERS = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array }
const SIZES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }

/** The rest mesh (glTF 2.0): a GLB, or JSON with a buffer and images beside it. */
async function readMesh(beside, { file, indexUV }) {
  const bytes = await download(beside(file))
  const view = new DataView(bytes.buffer)
  const isBinary = view.getUint32(0, true) === 0x46546c67
  const jsonLength = isBinary ? view.getUint32(12, true) : 0
  const json = JSON.parse(new TextDecoder().decode(isBinary ? bytes.subarray(20, 20 + jsonLength) : bytes))
  const chunk = isBinary ? bytes.slice(28 + jsonLength) : null
  const buffers = await Promise.all((json.buffers ?? []).map(({ uri }) => (uri ? download(beside(decodeURIComponent(uri))) : chunk)))
  const viewBytes = ({ buffer, byteOffset = 0, byteLength }) => buffers[buffer].subarray(byteOffset, byteOffset + byteLength)

  const array = (index) => {
    const { bufferView, byteOffset = 0, componentType, count, type, normalized } = json.accessors[index]
    const Numbers = NUMBERS[componentType]
    const { byteStride } = json.bufferViews[bufferView]
    const size = SIZES[type]
    const source = viewBytes(json.bufferViews[bufferView])
    const stride = byteStride ?? size * Numbers.BYTES_PER_ELEMENT
    const numbers = new Numbers(count * size)
    for (let i = 0; i < count; i++) {
      const item = source.slice(byteOffset + i * stride, byteOffset + i * stride + size * Numbers.BYTES_PER_ELEMENT)
      numbers.set(new Numbers(item.buffer), i * size)
    }
    const steps = { 5121: 255, 5123: 65535 }[componentType]
    return { size, array: normalized && steps ? Float32Array.from(numbers, (value) => value / steps) : numbers }
  }
  const submeshes = json.meshes[0].primitives.map(({ attributes, indices, material }) => ({
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, index]) => [name === indexUV ? 'indexUV' : name, array(index)])),
    indices: array(indices).array,
    material: { pbrMetallicRoughness: {}, ...json.materials?.[material] },
  }))
  const images = await Promise.all(
    (json.images ?? []).map(async ({ uri, bufferView, mimeType }) => {
      const data = uri ? await download(beside(decodeURIComponent(uri))) : viewBytes(json.bufferViews[bufferView])
      return createImageBitmap(new Blob([data], { type: mimeType }), { colorSpaceConversion: 'none', premultiplyAlpha: 'none' })
    }),
  )
  const textures = (json.textures ?? []).map(({ source, extensions, sampler }) => ({
    image: images[extensions?.EXT_texture_webp?.source ?? source],
    ...json.samplers?.[sampler],
  }))
  return { submeshes, textures }
}

/** The two rows of a clip that are shown at a time, in seconds, and how much of the second one: [row, row, blend]. */
export function rowsAt({ layout }, clip, seconds) {
  const { frameCount, fps, loop, firstRow, frameRows } = clip
  const row = (frame) => frameRows?.[frame] ?? firstRow + frame * layout.rowsPerFrame
  const last = frameCount - 1
  let moment = seconds * fps
  moment = loop ? moment - frameCount * Math.floor(moment / frameCount) : Math.min(Math.max(moment, 0), last)
  const first = Math.min(Math.floor(moment), last)
  return [row(first), row(loop ? (first + 1) % frameCount : Math.min(first + 1, last)), moment - first]
}

/** GLSL ES 3 that decodes the layers of a bake: for each role a function `vat_ROLE(vec2 address, float row)`. */
export function decodingShader({ sidecar, layers }) {
  const float = (value) => (Number.isInteger(value) ? `${value}.0` : String(value))
  const vector = (values) => (values.length === 1 ? float(values[0]) : `vec${values.length}(${values.map(float).join(', ')})`)
  const { columnsPerRow, rowsPerFrame, orientation } = sidecar.layout
  const functions = Object.values(layers).map(({ role, pixels, type, channels, content, scale, offset, baseRow, baseColumn }) => {
    const map = `vat_${role}_map`
    const isSplit = type === 'unorm16' || type === 'unorm8x2'
    const texel = isSplit
      ? `vat_join(texelFetch(${map}, pixel, 0), texelFetch(${map}, pixel + ivec2(0, ${pixels.height / 2}), 0))`
      : `texelFetch(${map}, pixel, 0)`
    const value = `(${texel}).${channels} * ${vector(scale)} + ${vector(offset)}`
    const steps = { octahedral8: '256.0', octahedral12: '4096.0' }[content]
    const pair = steps ? `vat_unpack(${value}, ${steps})` : value
    return `
      uniform highp sampler2D ${map};
      ${role === 'tangent' ? 'vec4' : 'vec3'} vat_${role}(vec2 address, float row) {
        ivec2 pixel = ivec2(address + ${vector([baseColumn, baseRow])} + vec2(0.0, row) + 0.5)${orientation === 'frames-x' ? '.yx' : ''};
        return ${content.startsWith('octahedral') ? `normalize(vat_unfold(${pair}))` : value};
      }`
  })
  return `${DECODE}
    const vec2 VAT_LAYOUT = ${vector([columnsPerRow, rowsPerFrame])};
    ${functions.join('\n')}`
}

const DECODE = `
{{decode}}`
