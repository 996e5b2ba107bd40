import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Bucket, openBucket, type S3Settings } from './s3-bucket.ts'
import { withScratchFolder } from './scratch.ts'
import { derivatives, derivedKey, type Storage } from './storage.ts'

// A piece is held in memory until it is stored.
const pieceBytes = 8 * 1024 * 1024
const offsetDigits = 12

/**
 * Files in an S3 bucket. An incomplete upload is a series of objects, `{key}.pieces/{offset}`: unlike the parts of a
 * multipart upload they may be of any size, can be listed by any server, and last until the file is assembled.
 */
export function createS3Storage(settings: S3Settings): Storage {
  const bucket = openBucket(settings)
  return {
    append: (key, source, offset) => appendPieces(bucket, key, source, offset),

    received: async (key) => (await listPieces(bucket, key)).total,

    readReceived: async (key) => Readable.from(readAll(bucket, (await listPieces(bucket, key)).pieces)),

    write: (key, source, bytes) => bucket.put(key, Readable.from(source, { objectMode: false }), bytes),

    finish: async (key) => {
      if (!(await bucket.head(key))) {
        const { pieces } = await listPieces(bucket, key)
        await withScratchFolder(async (folder) => {
          const path = join(folder, 'file')
          await pipeline(Readable.from(readAll(bucket, pieces)), createWriteStream(path))
          await putFile(bucket, key, path)
        })
      }
      await removePieces(bucket, key)
    },

    put: (key, path) => putFile(bucket, key, path),
    read: bucket.read,
    stat: bucket.head,

    remove: async (key) => {
      await removePieces(bucket, key)
      for (const each of [...derivatives.map((derivative) => derivedKey(key, derivative)), key]) {
        await bucket.remove(each)
      }
    },

    list: async function* () {
      let last = ''
      for await (const { key: name, changedAt } of bucket.list('')) {
        const key = name.split('.')[0] ?? ''
        if (key === last || !/^[0-9a-f-]{36}\/[0-9a-f-]{36}$/.test(key)) continue
        last = key
        yield { key, changedAt }
      }
    },

    withLocalFile: (key, use) =>
      withScratchFolder(async (folder) => {
        const path = join(folder, 'file')
        await pipeline(await bucket.read(key), createWriteStream(path))
        return use(path)
      }),
  }
}

/** Stores a source as pieces of 8 MB from an offset on, also what arrived before the source failed. */
async function appendPieces(
  bucket: Bucket,
  key: string,
  source: AsyncIterable<Uint8Array>,
  offset: number,
): Promise<number> {
  let position = offset
  let waiting: Uint8Array[] = []
  let bytes = 0
  const flush = async () => {
    if (bytes === 0) return
    const piece = `${key}.pieces/${String(position).padStart(offsetDigits, '0')}`
    await bucket.put(piece, Buffer.concat(waiting), bytes)
    position += bytes
    waiting = []
    bytes = 0
  }
  try {
    for await (const chunk of source) {
      waiting.push(chunk)
      bytes += chunk.length
      if (bytes >= pieceBytes) await flush()
    }
  } finally {
    await flush()
  }
  return position
}

/** The contiguous pieces from the file's beginning. */
async function listPieces(bucket: Bucket, key: string) {
  const pieces: { key: string; bytes: number }[] = []
  let total = 0
  for await (const piece of bucket.list(`${key}.pieces/`)) {
    if (Number(piece.key.slice(-offsetDigits)) !== total) break
    pieces.push(piece)
    total += piece.bytes
  }
  return { pieces, total }
}

async function* readAll(bucket: Bucket, pieces: readonly { key: string }[]) {
  for (const piece of pieces) yield* await bucket.read(piece.key)
}

async function removePieces(bucket: Bucket, key: string): Promise<void> {
  for await (const piece of bucket.list(`${key}.pieces/`)) await bucket.remove(piece.key)
}

async function putFile(bucket: Bucket, key: string, path: string): Promise<void> {
  const { size } = await stat(path)
  await bucket.put(key, createReadStream(path), size)
}
