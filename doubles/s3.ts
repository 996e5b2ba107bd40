/*
 * An object store for tests: the emulator's own S3, with one bucket. It knows neither ranges nor multipart uploads.
 */
import { findFreePort } from './free-port.ts'

/** A running double. */
export interface S3Double {
  /** The product's settings for it. */
  readonly settings: Readonly<Record<string, string>>
  stop(): Promise<void>
}

const bucket = 'files'

/** Starts it on the loopback interface, empty. */
export async function startS3Double(): Promise<S3Double> {
  const { createEmulator } = await import('emulate')
  const port = await findFreePort()
  const running = await createEmulator({
    service: 'aws',
    port,
    seed: { aws: { region: 'us-east-1', s3: { buckets: [{ name: bucket }] } } },
  })
  return {
    settings: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      S3_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      S3_PREFIX: 'earshot/',
    },
    stop: () => running.close(),
  }
}
