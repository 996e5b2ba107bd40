import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** An answer without what differs from call to call: its time and the request's id. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

// `fetch` costs several times as much, and a matrix makes thousands of calls.
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const changing = ['date', 'x-request-id', 'content-security-policy', 'etag', 'content-length', 'ratelimit']

/** Calls a server over kept connections. An event stream is answered by its head. */
export function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options
    // Without a length, Node sends no body with DELETE.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const call = request(url, { agent, method, headers: { ...headers, ...length } }, (reply) => {
      const chunks: Buffer[] = []
      const finish = () => {
        const kept = Object.entries(reply.headers).filter(([name]) => !changing.includes(name))
        const text = Buffer.concat(chunks)
          .toString()
          .replace(/"requestId":"[^"]*"/, '')
        resolve({ status: reply.statusCode ?? 0, headers: Object.fromEntries(kept), text })
      }
      if (reply.headers['content-type']?.startsWith('text/event-stream')) {
        finish()
        call.destroy()
        return
      }
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', finish)
      reply.on('error', reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}
