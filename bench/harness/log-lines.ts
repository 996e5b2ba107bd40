import { randomUUID } from 'node:crypto'
import { createRandom } from '#server/platform/scrub/corpus.ts'

const files = [
  'server/platform/database/pool.ts',
  'server/features/feedback/feedback.service.ts',
  'node_modules/pg/lib/client.js',
  'node_modules/fastify/lib/route.js',
  'server/features/widget/submission.routes.ts',
]
const messages = [
  'request failed: unavailable',
  'request refused: permission_denied',
  'job failed',
  'database connection lost',
  'email could not be sent',
  'delivery refused by the service',
  'upload refused: body_too_large',
  'submission stored',
  'export finished',
  'integration disabled',
]
const random = createRandom(42)
const pick = (from: readonly string[]) => from[random(from.length)] ?? ''

/** A finished line as the log writes it, with ids of its own and the stack of an error; number `n` of a day. */
export function makeLogLine(n: number, linesADay: number, at: Date, characters: number): string {
  const chance = random(1_000)
  const level = chance < 2 ? 'fatal' : chance < 20 ? 'error' : chance < 100 ? 'warn' : chance < 900 ? 'info' : 'debug'
  const fields: Record<string, unknown> = {
    requestId: randomUUID(),
    method: pick(['GET', 'POST', 'PATCH']),
    route: `/api/v1/organizations/:organizationId/${pick(['feedback', 'projects', 'exports', 'members'])}`,
    status: 200 + random(300),
    durationMs: random(900),
    userId: randomUUID(),
    organizationId: randomUUID(),
    ...(n % 1_000 === 7 && { note: 'quetzalcoatl' }),
    ...(n % 50_000 === 9 && { note: 'xylophone' }),
    ...(n < linesADay * 0.3 && { code: 'ECONNREFUSED' }),
  }
  let stack = 'Error: connect failed'
  while (stack.length < characters - 450) {
    const call = `${pick(['Client', 'Pool', 'Route', 'Handler'])}.${pick(['connect', 'query', 'handle'])}`
    stack += `\n    at ${call} (file:///app/${pick(files)}:${random(900)}:${random(80)})`
  }
  return JSON.stringify({
    ...{ level, time: at.toISOString() },
    ...fields,
    err: { type: 'Error', message: 'connect failed', stack },
    msg: pick(messages),
  })
}
