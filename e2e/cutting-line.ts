import { connect, createServer, type Socket } from 'node:net'

/** A line to the product that breaks. */
export interface CuttingLine {
  /** The product, by this line. */
  readonly url: string
  /** How often it has broken. */
  readonly cuts: number
  stop(): Promise<void>
}

/** Leads to the product and breaks whenever so many bytes have gone there, for as often as is asked. */
export async function startCuttingLine(productUrl: string, bytesEach: number, times: number): Promise<CuttingLine> {
  const { hostname, port } = new URL(productUrl)
  const open = new Set<Socket>()
  let sent = 0
  const line = { url: '', cuts: 0, stop: () => Promise.resolve() }
  const server = createServer((visitor) => {
    const product = connect(Number(port), hostname)
    const cut = () => {
      visitor.resetAndDestroy()
      product.resetAndDestroy()
    }
    for (const socket of [visitor, product]) {
      open.add(socket)
      socket.on('error', cut)
      socket.on('close', () => {
        open.delete(socket)
        cut()
      })
    }
    visitor.on('data', (data) => {
      sent += data.length
      if (line.cuts < times && sent > bytesEach) {
        sent = 0
        line.cuts++
        // Bytes already sent still arrive, as when a line breaks behind them.
        product.write(data)
        return void setTimeout(cut, 20)
      }
      product.write(data)
    })
    product.on('data', (data) => visitor.write(data))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  line.url = `http://127.0.0.1:${address.port}`
  line.stop = () =>
    new Promise((resolve) => {
      for (const socket of open) socket.destroy()
      server.close(() => resolve())
    })
  return line
}
