import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A failure of one request of an upload. */
export type UploadFault = { on?: string } & (
  | { kind: 'drop' | 'store-and-drop' | 'store-half-and-drop' | 'forget' }
  /** Answers with an offset that is not the true one. */
  | { kind: 'wrong-offset'; by: number }
  | { kind: 'slow'; ms: number }
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: unknown }
)

interface StoredUpload {
  readonly metadata: Readonly<Record<string, string>>
  bytes: Buffer
  length: number | undefined
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  'access-control-allow-headers':
    'content-type, tus-resumable, upload-length, upload-defer-length, upload-metadata, upload-offset',
  'access-control-expose-headers': 'location, retry-after, upload-length, upload-offset, upload-defer-length',
  'tus-resumable': '1.0.0',
}

/** A small tus server (1.0.0: creation, creation-defer-length, termination) that fails on request. */
export class HostUploads {
  /** For the next requests, in order; each is taken by the first request that it is for. */
  readonly faults: UploadFault[] = []
  /** Asked before each request when no fault waits. */
  chaos: ((method: string) => UploadFault | undefined) | undefined
  readonly stored = new Map<string, StoredUpload>()
  /** Method and id of every request, with the offset where there is one. */
  readonly requested: string[] = []
  /** Most requests at a time for any one upload. */
  mostAtOnce = 0
  readonly #active = new Map<string, number>()

  /** All of it is here, and its length is known. */
  isComplete(id: string): boolean {
    const upload = this.stored.get(id)
    return upload !== undefined && upload.bytes.length === upload.length
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    if (method === 'OPTIONS') return void response.writeHead(204, cors).end()
    const id = url.match(/uploads\/([^/?]+)/)?.[1] ?? readMetadata(request).id ?? ''
    this.requested.push(`${method} ${id} ${request.headers['upload-offset'] ?? ''}`.trim())
    const active = (this.#active.get(id) ?? 0) + 1
    this.#active.set(id, active)
    this.mostAtOnce = Math.max(this.mostAtOnce, active)
    try {
      await this.#answerOne(method, id, request, response)
    } finally {
      this.#active.set(id, (this.#active.get(id) ?? 1) - 1)
    }
  }

  #takeFault(method: string): UploadFault | undefined {
    const index = this.faults.findIndex(({ on = method }) => on === method)
    return index < 0 ? this.chaos?.(method) : this.faults.splice(index, 1)[0]
  }

  async #answerOne(method: string, id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.#takeFault(method)
    if (fault?.kind === 'slow') await sleep(fault.ms)
    const chunks: Buffer[] = []
    // A line that breaks in the middle leaves what has come.
    for await (const chunk of request.on('error', () => {})) chunks.push(chunk as Buffer)
    let body = Buffer.concat(chunks)
    if (fault?.kind === 'drop') return void request.socket.destroy()
    if (fault?.kind === 'forget') this.stored.delete(id)
    if (fault?.kind === 'answer') {
      const { status, headers, body: content } = fault
      return void response.writeHead(status, { ...cors, ...headers }).end(JSON.stringify(content ?? {}))
    }
    if (fault?.kind === 'store-half-and-drop') body = body.subarray(0, body.length >> 1)
    const [status, headers] = this.#store(method, id, request, body)
    if (fault?.kind.endsWith('drop')) return void request.socket.destroy()
    if (fault?.kind === 'wrong-offset' && headers['upload-offset'] !== undefined) {
      headers['upload-offset'] = `${Number(headers['upload-offset']) + fault.by}`
    }
    response.writeHead(status, { ...cors, ...headers }).end()
  }

  #store(method: string, id: string, request: IncomingMessage, body: Buffer): [number, Record<string, string>] {
    const upload = this.stored.get(id)
    const asked = request.headers['upload-length']
    if (method === 'POST') {
      if ((asked === undefined) === (request.headers['upload-defer-length'] === undefined)) return [400, {}]
      if (upload) {
        // As the product does: a creation may be repeated, says what has arrived, and may tell the length by then.
        upload.length ??= asked === undefined ? undefined : Number(asked)
        return [201, { 'upload-offset': `${upload.bytes.length}` }]
      }
      const metadata = readMetadata(request)
      this.stored.set(id, { metadata, bytes: Buffer.alloc(0), length: asked ? Number(asked) : undefined })
      return [201, { location: `${request.url}/${id}` }]
    }
    if (!upload) return [404, {}]
    if (method === 'DELETE') {
      this.stored.delete(id)
      return [204, {}]
    }
    if (method === 'PATCH') {
      if (Number(request.headers['upload-offset']) !== upload.bytes.length) return [409, {}]
      if (asked !== undefined && upload.length !== undefined) return [400, {}]
      upload.length ??= asked === undefined ? undefined : Number(asked)
      upload.bytes = Buffer.concat([upload.bytes, body])
    }
    const length =
      upload.length === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': `${upload.length}` }
    return [method === 'HEAD' ? 200 : 204, { 'upload-offset': `${upload.bytes.length}`, ...length }]
  }
}

function readMetadata(request: IncomingMessage): Record<string, string> {
  const pairs = `${request.headers['upload-metadata'] ?? ''}`.split(',').map((pair) => pair.split(' '))
  return Object.fromEntries(pairs.map(([key, value]) => [key, Buffer.from(value ?? '', 'base64').toString('utf8')]))
}
