import { connect, createServer, type Socket } from 'node:net'

/** A load balancer for TCP connections, as simple as they get. */
export interface Balancer {
  readonly port: number
  /** Sends connections to this port of this machine from its first `/ready` with status 200 on. */
  add(port: number): void
  remove(port: number): void
  /** Resolves when so many servers are ready. */
  untilReady(count: number): Promise<void>
  close(): Promise<void>
}

const checkEveryMs = 50

/**
 * Sends each new connection to the next server whose `/ready` answered 200 at the last check. A server that refuses the
 * connection is skipped, because nothing was sent yet; whatever happens later is for the client to notice.
 */
export async function startBalancer(): Promise<Balancer> {
  const isReadyByPort = new Map<number, boolean>()
  const listReady = () => [...isReadyByPort].filter(([, isReady]) => isReady).map(([port]) => port)
  let turn = 0
  let onChange = () => {}

  async function check(port: number): Promise<void> {
    const reply = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined)
    await reply?.arrayBuffer()
    if (isReadyByPort.has(port)) isReadyByPort.set(port, reply?.status === 200)
    onChange()
  }

  function forward(client: Socket, candidates: readonly number[]): void {
    const [port, ...others] = candidates
    if (port === undefined) {
      client.destroy()
      return
    }
    const server = connect(port, '127.0.0.1')
    server.setNoDelay(true)
    server.once('connect', () => {
      server.off('error', tryNext)
      server.on('error', () => client.destroy())
      client.on('error', () => server.destroy())
      client.pipe(server).pipe(client)
    })
    const tryNext = () => forward(client, others)
    server.once('error', tryNext)
  }

  const listener = createServer((client) => {
    client.setNoDelay(true)
    const ready = listReady()
    turn += 1
    const first = turn % Math.max(1, ready.length)
    forward(client, [...ready.slice(first), ...ready.slice(0, first)])
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const timer = setInterval(() => {
    for (const port of isReadyByPort.keys()) void check(port)
  }, checkEveryMs)
  // A TCP server's address is an object.
  const { port } = listener.address() as { port: number }

  return {
    port,
    add: (each) => {
      isReadyByPort.set(each, false)
      void check(each)
    },
    remove: (each) => isReadyByPort.delete(each),
    untilReady: (count) =>
      new Promise((resolve) => {
        onChange = () => {
          if (listReady().length >= count) resolve()
        }
        onChange()
      }),
    close: async () => {
      clearInterval(timer)
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
