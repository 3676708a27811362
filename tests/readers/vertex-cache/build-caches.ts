/** Writes a .pc2 file, which may say something else of itself than is so. */
export function buildPointCache(
  frames: number[][],
  { first = 0, step = 1, points = frames[0].length / 3, samples = frames.length } = {},
): Uint8Array {
  const bytes = new Uint8Array(32 + frames.flat().length * 4)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode('POINTCACHE2\0'))
  view.setInt32(12, 1, true)
  view.setInt32(16, points, true)
  view.setFloat32(20, first, true)
  view.setFloat32(24, step, true)
  view.setInt32(28, samples, true)
  frames.flat().forEach((value, i) => view.setFloat32(32 + i * 4, value, true))
  return bytes
}

export interface MayaCacheSource {
  /** 64-bit sizes, as in .mcx files. */
  wide?: boolean
  double?: boolean
  /** In 6000ths of a second; a time of its own for each frame, where it is one file of many frames. */
  start: number
  frames: { time?: number; channels: Record<string, number[]> }[]
}

/** Writes a .mc or .mcx file. */
export function buildMayaCache({ wide = false, double = false, start, frames }: MayaCacheSource): Uint8Array {
  const chunk = (tag: string, ...content: Uint8Array[]): Uint8Array => {
    const body = joined(content)
    const head = new Uint8Array(wide ? 16 : 8)
    head.set(new TextEncoder().encode(tag))
    if (wide) new DataView(head.buffer).setBigUint64(8, BigInt(body.length))
    else new DataView(head.buffer).setUint32(4, body.length)
    const step = wide ? 8 : 4
    const padding = tag.startsWith('FOR') ? 0 : (step - (body.length % step)) % step
    return joined([head, body, new Uint8Array(padding)])
  }
  const text = (value: string) => new TextEncoder().encode(value)
  const whole = (value: number) => numbers([value], 4, (view, at, number) => view.setInt32(at, number))
  const vectors = (values: number[]) => {
    return double
      ? chunk('DVCA', numbers(values, 8, (view, at, number) => view.setFloat64(at, number)))
      : chunk('FVCA', numbers(values, 4, (view, at, number) => view.setFloat32(at, number)))
  }
  const group = wide ? 'FOR8' : 'FOR4'
  const head = chunk(group, text('CACH'), chunk('VRSN', text('0.1\0')), chunk('STIM', whole(start)), chunk('ETIM', whole(start)))
  const blocks = frames.map(({ time, channels }) => {
    const values = Object.entries(channels).map(([name, list]) => {
      return joined([chunk('CHNM', text(`${name}\0`)), chunk('SIZE', whole(list.length / 3)), vectors(list)])
    })
    return chunk(group, text('MYCH'), ...(time === undefined ? [] : [chunk('TIME', whole(time))]), ...values)
  })
  return joined([head, ...blocks])
}

/** Writes the .xml file of a Maya cache. */
export function describeMayaCache(type: 'OneFile' | 'OneFilePerFrame', format: 'mcc' | 'mcx', channels: Record<string, string>): Uint8Array {
  const lines = Object.entries(channels).map(([name, interpretation], i) => {
    return `<channel${i} ChannelName="${name}" ChannelType="FloatVectorArray" ChannelInterpretation="${interpretation}"/>`
  })
  const text = `<?xml version="1.0"?>
<Autodesk_Cache_File>
  <cacheType Type="${type}" Format="${format}"/>
  <Channels>
    ${lines.join('\n    ')}
  </Channels>
</Autodesk_Cache_File>`
  return new TextEncoder().encode(text)
}

function numbers(values: number[], size: number, write: (view: DataView, at: number, value: number) => void): Uint8Array {
  const bytes = new Uint8Array(values.length * size)
  values.forEach((value, i) => write(new DataView(bytes.buffer), i * size, value))
  return bytes
}

function joined(parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
