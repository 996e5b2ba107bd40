import { type Bucket, openBucket, type S3Settings } from '#server/platform/storage/s3-bucket.ts'
import { FileMissingError } from '#server/platform/storage/storage.ts'
import { BackupError } from '../backup-error.ts'
import type { Target } from './target.ts'

/** An address like `s3://bucket/key`. */
export interface S3Address {
  readonly bucket: string
  readonly key: string
}

/** Undefined: it is no address of an object store. @throws BackupError when it names no bucket. */
export function readS3Address(place: string): S3Address | undefined {
  if (!place.startsWith('s3://')) return undefined
  const [, bucket, key] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(place) ?? []
  if (bucket === undefined || key === undefined) throw new BackupError(`${place} must be like s3://bucket/folder/.`)
  return { bucket, key }
}

/** A bucket of the object store of the settings, by keys from its root. @throws BackupError without settings. */
export function openS3(s3: S3Settings | null, bucket: string): Bucket {
  if (s3 === null) {
    throw new BackupError(
      's3:// needs the settings of the object store: set S3_BUCKET, S3_ENDPOINT and the access key.',
    )
  }
  return openBucket({ ...s3, bucket, prefix: '' })
}

/** An object has up to 10,000 parts: parts double after each two thousand, which allows archives of 1 TiB. */
const firstPartBytes = 8 * 1024 * 1024
const partsOfASize = 2_000

/** Writes an object, which exists once it is complete. */
export async function openS3Target(bucket: Bucket, { bucket: name, key }: S3Address): Promise<Target> {
  const location = `s3://${name}/${key}`
  if (await bucket.head(key)) throw new BackupError(`${location} exists already. Use another name.`)
  const upload = await bucket.upload(key)
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let parts = 0
  let isComplete = false
  async function flush(): Promise<void> {
    await upload.add(Buffer.concat(waiting))
    parts += 1
    waiting = []
    waitingBytes = 0
  }
  return {
    location,
    write: async (bytes) => {
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes >= firstPartBytes * 2 ** Math.floor(parts / partsOfASize)) await flush()
    },
    complete: async () => {
      await flush()
      await upload.complete()
      isComplete = true
    },
    // Without an encoding, a stream gives bytes.
    read: async () => (await bucket.read(key)) as AsyncIterable<Buffer>,
    publish: async () => {},
    discard: () => (isComplete ? bucket.remove(key) : upload.abort()),
  }
}

/** @throws BackupError when there is no such object. */
export async function openS3Source(bucket: Bucket, { bucket: name, key }: S3Address): Promise<AsyncIterable<Buffer>> {
  try {
    // Without an encoding, a stream gives bytes.
    return (await bucket.read(key)) as AsyncIterable<Buffer>
  } catch (error) {
    if (error instanceof FileMissingError) throw new BackupError(`There is no archive s3://${name}/${key}.`)
    throw error
  }
}
