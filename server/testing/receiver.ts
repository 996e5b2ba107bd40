import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver got. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly atMs: number
}

/** A server of another service, on the loopback interface. */
export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Answers from now on. Default: 200 without a body. */
  answer(how: (request: Received, response: ServerResponse) => void): void
  /** Waits for so many requests in all. @throws Error after `timeoutMs`. */
  waitFor(count: number, timeoutMs?: number): Promise<readonly Received[]>
  stop(): Promise<void>
}

/** Starts a receiver that keeps whatever it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let respond = (_: Received, response: ServerResponse): void => {
    response.writeHead(200).end()
  }
  let onReceived = () => {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const each = { method, path: url, headers, body: Buffer.concat(chunks).toString(), atMs: performance.now() }
      received.push(each)
      respond(each, response)
      onReceived()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (how) => {
      respond = how
    },
    waitFor: (count, timeoutMs = 15_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`${received.length} of ${count} requests came within ${timeoutMs} ms`)),
          timeoutMs,
        )
        onReceived = () => {
          if (received.length < count) return
          clearTimeout(timer)
          resolve(received)
        }
        onReceived()
      }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
