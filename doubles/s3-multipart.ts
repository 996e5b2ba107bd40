/*
 * An object store in memory for tests of what the emulator in s3.ts lacks: multipart uploads and ranges. It checks no
 * signatures.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { findFreePort } from './free-port.ts'

/** A running double. */
export interface S3MultipartDouble {
  /** The product's settings for it. */
  readonly settings: Readonly<Record<string, string>>
  /** Objects by `bucket/key`. Uploads that are not complete are none. */
  readonly objects: Map<string, Buffer>
  /** Answers with an error from the second part of an upload on. */
  refusesParts: boolean
  stop(): Promise<void>
}

/** Starts it on the loopback interface, empty. Any bucket exists. */
export async function startS3MultipartDouble(): Promise<S3MultipartDouble> {
  const port = await findFreePort()
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://store')
    const name = decodeURIComponent(url.pathname.slice(1))
    const query = url.searchParams
    const parts = uploads.get(query.get('uploadId') ?? '')
    const body = await buffer(request)
    const send = (status: number, content: string | Buffer = '', headers: Record<string, string | number> = {}) =>
      response.writeHead(status, { 'content-length': content.length, ...headers }).end(content)

    if (request.method === 'POST' && query.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, new Map())
      return void send(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (query.has('uploadId')) {
      if (!parts) return void send(404, '<Error><Code>NoSuchUpload</Code></Error>')
      const number = Number(query.get('partNumber'))
      if (request.method === 'PUT') {
        if (double.refusesParts && number > 1) return void send(403, '<Error><Code>AccessDenied</Code></Error>')
        parts.set(number, body)
        return void send(200, '', { etag: `"${hash(body)}"` })
      }
      uploads.delete(query.get('uploadId') ?? '')
      if (request.method === 'DELETE') return void send(204)
      objects.set(name, Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part)))
      return void send(200, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
    }
    if (query.has('list-type')) return void send(200, list(objects, name, query.get('prefix') ?? ''))
    if (request.method === 'PUT') {
      objects.set(name, body)
      return void send(200, '', { etag: `"${hash(body)}"` })
    }
    if (request.method === 'DELETE') {
      objects.delete(name)
      return void send(204)
    }
    const found = objects.get(name)
    if (!found) return void send(404, request.method === 'HEAD' ? '' : '<Error><Code>NoSuchKey</Code></Error>')
    if (request.method === 'HEAD') return void response.writeHead(200, { 'content-length': found.length }).end()
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (start === undefined || end === undefined) return void send(200, found)
    const range = found.subarray(Number(start), Number(end) + 1)
    send(206, range, { 'content-range': `bytes ${start}-${end}/${found.length}` })
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const double: S3MultipartDouble = {
    settings: {
      S3_BUCKET: 'files',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      S3_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    objects,
    refusesParts: false,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return double
}

function hash(body: Buffer): string {
  return createHash('md5').update(body).digest('hex')
}

function list(objects: ReadonlyMap<string, Buffer>, bucket: string, prefix: string): string {
  const start = `${bucket.replace(/\/$/, '')}/`
  const found = [...objects].filter(([name]) => name.startsWith(start + prefix)).sort(([a], [b]) => (a < b ? -1 : 1))
  const contents = found.map(
    ([name, { length }]) =>
      `<Contents><Key>${name.slice(start.length)}</Key><Size>${length}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`,
  )
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`
}
