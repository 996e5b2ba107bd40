/*
 * A page that is compressed once, and sent with new nonces each time. The first occurrence of each nonce stands
 * uncompressed in the compressed bytes and is overwritten there; later occurrences are references to the first.
 */
import type { Transform } from 'node:stream'
import { brotliDecompressSync, constants, crc32, createBrotliCompress, createDeflateRaw, gunzipSync } from 'node:zlib'
import type { ContentEncoding } from './choose-encoding.ts'
import { type Fillable, fillNonces, type Nonces, nonceLength } from './nonces.ts'

/** Writes the page with these nonces. `plain` is the same page, uncompressed. */
export type WritePacked = (nonces: Nonces, plain: Buffer) => Buffer

/** Characters that a page has nowhere else, each once: an encoder finds no piece of a mark anywhere but in the mark. */
function makeMark(from: number): string {
  return String.fromCharCode(...Array.from({ length: nonceLength }, (_, index) => from + index))
}
const marks: Nonces = { script: makeMark(0x80), style: makeMark(0xa0) }

/**
 * Compresses a page by Brotli and gzip.
 *
 * @returns without an encoding that does not follow the nonces, which no page has been seen to lead to.
 */
export async function packPage(page: Fillable): Promise<Partial<Record<ContentEncoding, WritePacked>>> {
  const marked = { ...page, bytes: fillNonces(page, marks) }
  const [brotli, deflated] = [await packBy(marked, brotliFormat), await packBy(marked, deflateFormat)]
  const br: WritePacked = (nonces) => fillNonces(brotli, nonces)
  const gzip: WritePacked = (nonces, plain) => wrapDeflated(fillNonces(deflated, nonces), plain)
  return {
    ...(isFaithful(page, br, brotliDecompressSync) && { br }),
    ...(isFaithful(page, gzip, gunzipSync) && { gzip }),
  }
}

interface Format {
  open(): Transform & { flush(kind: number, done: () => void): void }
  /** Ends a block at a whole byte. */
  readonly flush: number
  /** The header of a block of uncompressed bytes. */
  headLiteral(count: number): Buffer
}

const brotliFormat: Format = {
  // By contexts, the codes after a reference to a nonce would depend on the nonce's last characters.
  open: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_DISABLE_LITERAL_CONTEXT_MODELING]: 1 } }),
  flush: constants.BROTLI_OPERATION_FLUSH,
  // RFC 7932, section 9.2: not the last block, 4 nibbles of length, the length less one, uncompressed; then to a whole byte.
  headLiteral: (count) => {
    const head = Buffer.alloc(3)
    head.writeUIntLE(((count - 1) << 3) | (1 << 19), 0, 3)
    return head
  },
}

const deflateFormat: Format = {
  open: () => createDeflateRaw({ level: constants.Z_BEST_COMPRESSION }),
  flush: constants.Z_SYNC_FLUSH,
  // RFC 1951, section 3.2.4: not the last block, stored; then to a whole byte, the length and its complement.
  headLiteral: (count) => {
    const head = Buffer.alloc(5)
    head.writeUInt16LE(count, 1)
    head.writeUInt16LE(~count & 0xffff, 3)
    return head
  },
}

async function packBy({ bytes, scriptAt, styleAt }: Fillable, format: Format): Promise<Fillable> {
  const encoder = format.open()
  const compress = async (part: Buffer): Promise<Buffer> => {
    encoder.write(part)
    await new Promise<void>((done) => {
      encoder.flush(format.flush, done)
    })
    return readAll(encoder)
  }
  const at: Record<keyof Nonces, number[]> = { script: [], style: [] }
  const parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  let from = 0
  for (const { kind, start } of listFirst(scriptAt, styleAt)) {
    const end = start + nonceLength
    add(await compress(bytes.subarray(from, start)))
    const literal = bytes.subarray(start, end)
    // The encoder sees it, so that later references count it; what it makes of it is not sent.
    await compress(literal)
    add(format.headLiteral(literal.length))
    at[kind].push(length)
    add(literal)
    from = end
  }
  add(await compress(bytes.subarray(from)))
  encoder.end()
  for await (const part of encoder) add(part)
  return { bytes: Buffer.concat(parts), scriptAt: at.script, styleAt: at.style }
}

/** Where each nonce stands first, in their order. */
function listFirst(scriptAt: readonly number[], styleAt: readonly number[]) {
  const [script, style] = [scriptAt[0], styleAt[0]]
  return [
    ...(script === undefined ? [] : [{ kind: 'script' as const, start: script }]),
    ...(style === undefined ? [] : [{ kind: 'style' as const, start: style }]),
  ].sort((one, other) => one.start - other.start)
}

function readAll(encoder: Transform): Buffer {
  const parts: Buffer[] = []
  for (let part = encoder.read(); part !== null; part = encoder.read()) parts.push(part)
  return Buffer.concat(parts)
}

// RFC 1952: magic number, deflate, no flags, no time, unknown system.
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

function wrapDeflated(deflated: Buffer, plain: Buffer): Buffer {
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc32(plain), 0)
  tail.writeUInt32LE(plain.length, 4)
  return Buffer.concat([gzipHead, deflated, tail])
}

/** Whether what is written with other nonces reads as the page with them. */
function isFaithful(page: Fillable, write: WritePacked, unpack: (packed: Buffer) => Buffer): boolean {
  // No character is one of a nonce: nothing that stayed behind looks right by chance.
  const nonces = { script: 'x'.repeat(nonceLength), style: 'y'.repeat(nonceLength) }
  const plain = fillNonces(page, nonces)
  try {
    return unpack(write(nonces, plain)).equals(plain)
  } catch {
    return false
  }
}
