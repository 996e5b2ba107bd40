import { Readable } from 'node:stream'
import { S3 } from '@aws-sdk/client-s3'
import { type ByteRange, FileMissingError, StorageUnavailableError } from './storage.ts'

export interface S3Settings {
  readonly bucket: string
  readonly region: string
  /** Null: Amazon S3. */
  readonly endpoint: string | null
  readonly accessKeyId: string | null
  readonly secretAccessKey: string | null
  readonly forcePathStyle: boolean
  /** The prefix of every key; may be empty. */
  readonly prefix: string
}

/** An S3 bucket by keys without the prefix. Every method throws StorageUnavailableError when the store fails. */
export interface Bucket {
  put(key: string, body: Readable | Buffer, bytes: number): Promise<void>
  /** @throws FileMissingError */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** The size; undefined when there is no such object. */
  head(key: string): Promise<{ bytes: number } | undefined>
  /** Objects whose key begins with `start`, in order. */
  list(start: string): AsyncIterable<{ key: string; bytes: number; changedAt: Date }>
  /** Removes an object, if it exists. */
  remove(key: string): Promise<void>
  /** Begins an object of unknown length. */
  upload(key: string): Promise<BucketUpload>
}

/** An object that exists once it is complete, and not before. */
export interface BucketUpload {
  /** At least 5 MiB, but the last. */
  add(part: Buffer): Promise<void>
  complete(): Promise<void>
  abort(): Promise<void>
}

export function openBucket(settings: S3Settings): Bucket {
  const { bucket: Bucket, prefix } = settings
  const client = connect(settings)
  const nameOf = (key: string) => prefix + key
  return {
    put: async (key, body, bytes) => {
      await client.putObject({ Bucket, Key: nameOf(key), Body: body, ContentLength: bytes })
    },

    read: async (key, range) => {
      try {
        const found = await client.getObject({
          Bucket,
          Key: nameOf(key),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        })
        // In Node, the client gives a Readable.
        const body = found.Body as Readable
        return range && found.ContentRange === undefined ? Readable.from(cut(body, range)) : body
      } catch (error) {
        throw isMissing(error) ? new FileMissingError(key) : error
      }
    },

    head: async (key) => {
      try {
        const { ContentLength = 0 } = await client.headObject({ Bucket, Key: nameOf(key) })
        return { bytes: ContentLength }
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },

    list: async function* (start) {
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
    },

    remove: async (key) => {
      await client.deleteObject({ Bucket, Key: nameOf(key) })
    },

    upload: async (key) => {
      const object = { Bucket, Key: nameOf(key) }
      const { UploadId } = await client.createMultipartUpload(object)
      const upload = { ...object, UploadId }
      const parts: { PartNumber: number; ETag: string | undefined }[] = []
      return {
        add: async (part) => {
          const PartNumber = parts.length + 1
          const { ETag } = await client.uploadPart({ ...upload, PartNumber, Body: part, ContentLength: part.length })
          parts.push({ PartNumber, ETag })
        },
        complete: async () => {
          await client.completeMultipartUpload({ ...upload, MultipartUpload: { Parts: parts } })
        },
        abort: async () => {
          await client.abortMultipartUpload(upload)
        },
      }
    },
  }
}

function connect({ region, forcePathStyle, endpoint, accessKeyId, secretAccessKey }: S3Settings): S3 {
  const client = new S3({
    region,
    forcePathStyle,
    ...(endpoint !== null && { endpoint }),
    ...(accessKeyId !== null && secretAccessKey !== null && { credentials: { accessKeyId, secretAccessKey } }),
    // Only Amazon supports trailing checksums: other stores save them as part of the file.
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
    { step: 'initialize', name: 'throwUnavailable' },
  )
  return client
}

/** Cuts the response of a server without range support to the requested range. */
async function* cut(body: Readable, { start, end }: ByteRange): AsyncIterable<Buffer> {
  let position = 0
  // Without an encoding, a stream gives bytes.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const from = Math.max(start - position, 0)
    const to = Math.min(end + 1 - position, chunk.length)
    position += chunk.length
    if (from < to) yield chunk.subarray(from, to)
    if (position > end) return
  }
}

function isMissing(error: unknown): boolean {
  // The client's errors have these fields; others give undefined.
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404
}
