import { request } from 'node:http'

/** Asks for a path exactly as it is written: `fetch` would resolve `..` before it sends it. */
export function askAsWritten(
  server: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string | undefined; text: string }> {
  const { hostname, port } = new URL(server)
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path, headers }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('error', reject)
      reply.on('end', () =>
        resolve({
          status: reply.statusCode ?? 0,
          location: reply.headers.location,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    call.on('error', reject)
    call.end()
  })
}

/** Last parts of an address that lead out of a folder, or to what an object has without being asked, by what they look like. */
export const pathTricks: readonly (readonly [name: string, path: string])[] = [
  '..',
  '../..',
  '../../package.json',
  '../../../../../../etc/passwd',
  '..%2f..%2fpackage',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fREADME',
  '%2e%2e/%2e%2e/README',
  '%252e%252e%252fREADME',
  '..%5c..%5cREADME',
  '..\\..\\README',
  '%00slack',
  'slack%00',
  'slack%00.md',
  'slack/..',
  'slack/nothing',
  './slack.',
  '__proto__',
  'constructor',
  'toString',
  'slack.md.md',
  '%F0%9F%98%80',
  '%zz',
  '%ff%fe',
  'x'.repeat(900),
  'x'.repeat(10_000),
].map((path) => [path.slice(0, 40), path])
