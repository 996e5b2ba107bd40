import { BackupError } from '../backup-error.ts'

/*
 * The tape archive as POSIX defines it (ustar), with GNU's base-256 for sizes from 8 GiB on. Written and read as a stream of
 * files whose sizes are known beforehand: no folders, links or long names.
 */

const blockBytes = 512
const longestName = 100
/** Sizes with up to eleven octal digits. */
const largestOctal = 8 ** 11 - 1

/** Two empty blocks end an archive. */
export const tarEnd = Buffer.alloc(2 * blockBytes)

/** The block before a file's bytes. */
export function writeTarHeader(name: string, bytes: number, at: Date): Buffer {
  if (Buffer.byteLength(name) > longestName) throw new Error(`${name} is too long a name for the archive`)
  const block = Buffer.alloc(blockBytes)
  block.write(name, 0)
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  if (bytes <= largestOctal) block.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124)
  else {
    block[124] = 0x80
    block.writeBigUInt64BE(BigInt(bytes), 128)
  }
  block.write(
    `${Math.floor(at.getTime() / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  )
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** The zeros that fill a file's last block. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes)
}

/** The sum of all bytes, with spaces in place of the sum itself. */
function checksum(block: Buffer): number {
  let sum = 0
  for (let i = 0; i < blockBytes; i++) sum += i >= 148 && i < 156 ? 0x20 : (block[i] ?? 0)
  return sum
}

/** A file in an archive. Its body must be read to the end before the next file. */
export interface TarEntry {
  readonly name: string
  readonly bytes: number
  readonly body: AsyncIterable<Buffer>
}

/**
 * Reads an archive as it comes.
 *
 * @throws BackupError when it ends early or is no archive.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const input = createByteReader(source)
  try {
    for (;;) {
      const block = await input.take(blockBytes)
      if (block.every((byte) => byte === 0)) return
      const { name, bytes } = readTarHeader(block)
      let left = bytes
      const body = (async function* () {
        while (left > 0) {
          const chunk = await input.some(left)
          left -= chunk.length
          yield chunk
        }
      })()
      yield { name, bytes, body }
      for await (const _ of body);
      if (left > 0) throw new Error(`${name} was not read to its end`)
      const padding = await input.take(tarPadding(bytes).length)
      if (padding.some((byte) => byte !== 0)) throw damagedBlock()
    }
  } finally {
    await input.close()
  }
}

function readTarHeader(block: Buffer): { name: string; bytes: number } {
  const sum = Number.parseInt(block.toString('latin1', 148, 156), 8)
  if (sum !== checksum(block) || block.toString('latin1', 257, 262) !== 'ustar') {
    throw damagedBlock()
  }
  const name = block.toString('utf8', 0, longestName).replace(/\0.*$/s, '')
  const bytes =
    block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(block.toString('latin1', 124, 136), 8)
  return { name, bytes }
}

function damagedBlock(): BackupError {
  return new BackupError('The archive is damaged, or no backup of Earshot. Use another one.')
}

/** Takes bytes off a stream in any portions. */
function createByteReader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function fill(): Promise<void> {
    while (rest.length === 0) {
      const { value, done } = await iterator.next()
      if (done) throw new BackupError('The archive is cut: its end is missing. Copy it again, or use another one.')
      rest = value
    }
  }

  async function some(atMost: number): Promise<Buffer> {
    await fill()
    const chunk = rest.subarray(0, atMost)
    rest = rest.subarray(chunk.length)
    return chunk
  }

  return {
    some,
    take: async (count: number): Promise<Buffer> => {
      const chunks: Buffer[] = []
      for (let left = count; left > 0; ) {
        const chunk = await some(left)
        chunks.push(chunk)
        left -= chunk.length
      }
      return Buffer.concat(chunks)
    },
    close: async (): Promise<void> => {
      await iterator.return?.()
    },
  }
}
