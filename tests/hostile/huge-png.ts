import { constants, crc32, deflateRawSync } from 'node:zlib'

/**
 * A valid PNG of black in 16 bits: size² pixels that decode to 6 · size² bytes, in a thousandth of them. The compressed stream
 * is one piece of zeros again and again, so that making it takes no time.
 */
export function hugePng(size: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([16, 2], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', zeros(size * (1 + size * 6))), chunk('IEND', Buffer.alloc(0))])
}

/** So many zeros as a zlib stream (RFC 1950). */
function zeros(count: number): Buffer {
  const PIECE = 2 ** 24
  const piece = (length: number) => deflateRawSync(Buffer.alloc(length), { finishFlush: constants.Z_SYNC_FLUSH })
  const pieces = new Array<Buffer>(Math.floor(count / PIECE)).fill(piece(PIECE))
  const end = Buffer.from([3, 0])
  const adler = Buffer.alloc(4)
  adler.writeUInt32BE(((count % 65_521) * 65_536 + 1) >>> 0)
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...pieces, piece(count % PIECE), end, adler])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
