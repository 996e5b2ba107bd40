import { createServer } from 'node:http'

/** A customer's website: every page holds the snippet and a few words. */
export interface CustomerWebsite {
  /** Its address on this machine; only loopback, so what it sends is a test. */
  readonly url: string
  /** Its address as visitors know it: any name under .example leads here. */
  addressAt(host: string): string
  stop(): Promise<void>
}

const chairs = '<h1>Chairs</h1><p>Oak, steel and wool.</p><input aria-label="Search the shop">'

export async function startCustomerWebsite(snippet: () => string, content = chairs): Promise<CustomerWebsite> {
  const server = createServer((_request, reply) => {
    reply.setHeader('content-type', 'text/html; charset=utf-8')
    reply.end(`<!doctype html>
<html lang="en">
<head><title>Northwind Furniture</title><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body>${content}${snippet()}</body>
</html>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    addressAt: (host) => `http://${host}:${address.port}/chairs`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
