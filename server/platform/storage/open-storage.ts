import { join } from 'node:path'
import { createDiskStorage } from './disk-storage.ts'
import type { S3Settings } from './s3-bucket.ts'
import { createS3Storage } from './s3-storage.ts'
import type { Storage } from './storage.ts'

/** The configured bucket, or else a folder in the data folder. */
export function openStorage({ dataDir, s3 }: { dataDir: string; s3: S3Settings | null }): Storage {
  return s3 ? createS3Storage(s3) : createDiskStorage(join(dataDir, 'files'))
}
