import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { S3 } from '@aws-sdk/client-s3'
import { withScratchFolder } from './scratch.ts'
import {
  type ByteRange,
  derivatives,
  derivedKey,
  FileMissingError,
  type Storage,
  StorageUnavailableError,
} from './storage.ts'

export interface S3Settings {
  readonly bucket: string
  readonly region: string
  /** Null: Amazon's own. */
  readonly endpoint: string | null
  readonly accessKeyId: string | null
  readonly secretAccessKey: string | null
  readonly forcePathStyle: boolean
  /** What every key begins with; empty: nothing. */
  readonly prefix: string
}

const megabyte = 1024 * 1024
// A piece is held in memory until it is stored.
const pieceBytes = 8 * megabyte
const offsetDigits = 12

/**
 * Files in an S3 bucket. A file that is still arriving is a row of objects, `{key}.pieces/{offset}`: unlike the parts of
 * a multipart upload they may be of any size, can be listed by any server, and last until the file is made whole.
 */
export function createS3Storage(settings: S3Settings): Storage {
  const { bucket: Bucket, prefix, accessKeyId, secretAccessKey } = settings
  const client = new S3({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    ...(settings.endpoint !== null && { endpoint: settings.endpoint }),
    ...(accessKeyId !== null && secretAccessKey !== null && { credentials: { accessKeyId, secretAccessKey } }),
    // Trailing checksums are Amazon's own: others store them as part of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  client.middlewareStack.add(
    (next) => async (call) => {
      try {
        return await next(call)
      } catch (error) {
        throw isMissing(error) ? error : new StorageUnavailableError(error)
      }
    },
    { step: 'initialize', name: 'tellUnavailable' },
  )
  const nameOf = (key: string) => prefix + key

  async function* listObjects(start: string) {
    let token: string | undefined
    do {
      const page = await client.listObjectsV2({
        Bucket,
        Prefix: nameOf(start),
        ...(token !== undefined && { ContinuationToken: token }),
      })
      for (const { Key, Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        if (Key !== undefined) yield { key: Key.slice(prefix.length), bytes: Size, changedAt: LastModified }
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  /** The pieces that follow each other without a gap, from the file's beginning. */
  async function listPieces(key: string) {
    const pieces: { key: string; bytes: number }[] = []
    let total = 0
    for await (const piece of listObjects(`${key}.pieces/`)) {
      if (Number(piece.key.slice(-offsetDigits)) !== total) break
      pieces.push(piece)
      total += piece.bytes
    }
    return { pieces, total }
  }

  async function read(key: string, range?: ByteRange): Promise<Readable> {
    try {
      const found = await client.getObject({
        Bucket,
        Key: nameOf(key),
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      })
      const body = found.Body as Readable
      return range && found.ContentRange === undefined ? Readable.from(cut(body, range)) : body
    } catch (error) {
      throw isMissing(error) ? new FileMissingError(key) : error
    }
  }

  const head = async (key: string) => {
    try {
      const { ContentLength = 0 } = await client.headObject({ Bucket, Key: nameOf(key) })
      return { bytes: ContentLength }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  const put = async (key: string, path: string) => {
    const { size } = await stat(path)
    await client.putObject({ Bucket, Key: nameOf(key), Body: createReadStream(path), ContentLength: size })
  }

  const removePieces = async (key: string) => {
    for await (const piece of listObjects(`${key}.pieces/`)) {
      await client.deleteObject({ Bucket, Key: nameOf(piece.key) })
    }
  }

  return {
    append: async (key, source, offset) => {
      let position = offset
      let waiting: Uint8Array[] = []
      let bytes = 0
      const flush = async () => {
        if (bytes === 0) return
        const Key = nameOf(`${key}.pieces/${String(position).padStart(offsetDigits, '0')}`)
        await client.putObject({ Bucket, Key, Body: Buffer.concat(waiting), ContentLength: bytes })
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
    },

    received: async (key) => (await listPieces(key)).total,

    finish: async (key) => {
      if (!(await head(key))) {
        const { pieces } = await listPieces(key)
        await withScratchFolder(async (folder) => {
          const path = join(folder, 'file')
          await pipeline(Readable.from(readAll(pieces, read)), createWriteStream(path))
          await put(key, path)
        })
      }
      await removePieces(key)
    },

    put,
    read,
    stat: head,

    remove: async (key) => {
      await removePieces(key)
      for (const each of [...derivatives.map((derivative) => derivedKey(key, derivative)), key]) {
        await client.deleteObject({ Bucket, Key: nameOf(each) })
      }
    },

    list: async function* () {
      let last = ''
      for await (const { key: name, changedAt } of listObjects('')) {
        const key = name.split('.')[0] ?? ''
        if (key === last || !/^[0-9a-f-]{36}\/[0-9a-f-]{36}$/.test(key)) continue
        last = key
        yield { key, changedAt }
      }
    },

    withLocalFile: (key, use) =>
      withScratchFolder(async (folder) => {
        const path = join(folder, 'file')
        await pipeline(await read(key), createWriteStream(path))
        return use(path)
      }),
  }
}

async function* readAll(pieces: readonly { key: string }[], read: (key: string) => Promise<Readable>) {
  for (const piece of pieces) yield* await read(piece.key)
}

/** What a server that knows no ranges sent, cut to the range that was asked for. */
async function* cut(body: Readable, { start, end }: ByteRange): AsyncIterable<Buffer> {
  let position = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const from = Math.max(start - position, 0)
    const to = Math.min(end + 1 - position, chunk.length)
    position += chunk.length
    if (from < to) yield chunk.subarray(from, to)
    if (position > end) return
  }
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404
}
