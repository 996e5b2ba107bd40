import { connect, createServer, type Server, type Socket } from 'node:net'

/** A line to a database that can be cut or go silent. */
export interface DatabaseLine {
  /** The database, by this line. */
  readonly url: string
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>
  /** Takes bytes and passes none on, as a frozen server does. Connections that were made meanwhile stay silent. */
  freeze(): void
  mend(): Promise<void>
  stop(): Promise<void>
}

/** Leads to the database of that URL. */
export async function startDatabaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  let isFrozen = false
  let server: Server | undefined
  let port = 0

  function join(client: Socket): void {
    const database = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(from)
      if (isFrozen) from.pause()
      from.on('data', (data) => to.write(data))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  }

  async function listen(): Promise<void> {
    server = createServer(join)
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the system gave no port')
    port = address.port
  }

  async function cut(): Promise<void> {
    const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
    server = undefined
    for (const socket of open) socket.destroy()
    await closed
  }

  await listen()
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    cut,
    freeze: () => {
      isFrozen = true
      for (const socket of open) socket.pause()
    },
    mend: async () => {
      isFrozen = false
      for (const socket of open) socket.resume()
      if (!server) await listen()
    },
    stop: cut,
  }
}
