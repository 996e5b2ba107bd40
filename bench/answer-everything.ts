/*
 * A bare HTTP server of Node that answers every request at once with the answer of its argument: the least that an answer can
 * cost. Run by harness/bare-server.ts in a process of its own; prints its port.
 */
import { createServer } from 'node:http'
import type { BareAnswer } from './harness/bare-server.ts'

const { status, headers, body } = JSON.parse(process.argv[2] ?? '') as BareAnswer
const bytes = Buffer.from(body, 'base64')
const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
  request.resume()
  response.writeHead(status, headers).end(bytes)
})
server.listen(0, '127.0.0.1', 4_096, () => {
  const address = server.address()
  process.stdout.write(`${address !== null && typeof address === 'object' ? address.port : ''}\n`)
})
// Its parent has ended.
process.stdin.on('end', () => process.exit()).resume()
