import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { positives } from '../scrub/corpus.ts'
import { createLog, type Log, type LogOptions } from './log.ts'

function capture(options: Partial<LogOptions> = {}): { log: Log; lines: string[] } {
  const lines: string[] = []
  return { log: createLog({ level: 'debug', ...options, destination: { write: (line) => lines.push(line) } }), lines }
}

function parse(line: string | undefined): Record<string, unknown> {
  return JSON.parse(line ?? '') as Record<string, unknown>
}

describe('createLog', () => {
  it('writes one line of JSON with level, time and message', () => {
    const { log, lines } = capture()
    log.info({ projectId: 7 }, 'project %s made in %d ms', 'Shop', 12)
    expect(parse(lines[0])).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      projectId: 7,
      msg: 'project Shop made in 12 ms',
    })
  })

  it('writes nothing below its level', () => {
    const { log, lines } = capture({ level: 'warn' })
    log.info('quiet')
    log.warn('loud')
    expect(lines).toHaveLength(1)
  })

  it.each([
    'a\nb',
    'a\r\n{"level":"fatal","msg":"forged"}\n',
    '\u001b[31mred\u001b[0m',
    'a\u2028b\u2029c\u0085d\u009b31m',
    '\u0000\u0008\u007f',
    'half \ud800 pair',
    '"}\\',
  ])('keeps %j on one line and free of control characters', (text) => {
    for (const pretty of [false, true]) {
      const { log, lines } = capture({ pretty })
      log.info({ field: text, [text]: 1 }, text)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(/^[^\p{Cc}\u2028\u2029]*\n$/u)
      if (!pretty) expect(parse(lines[0]).msg).toBe(text.toWellFormed() === text ? text : parse(lines[0]).msg)
    }
  })

  it('redacts every kind in message, arguments, fields, bindings, errors and causes', () => {
    for (const [kind, samples] of Object.entries(positives)) {
      for (const sample of samples) {
        const { log, lines } = capture()
        log.warn(`seen ${sample}`)
        log.warn('seen %s and %o', sample, { note: sample })
        log.warn({ note: [sample] }, 'seen')
        log.child({ note: sample }).warn('seen')
        log.error(new Error(sample, { cause: sample }))
        log.error({ err: new Error(sample) }, 'failed')
        const output = lines.join('')
        const secret = sample.replace(/^bearer /i, '')
        if (secret.length > 4)
          expect(output.includes(JSON.stringify(secret).slice(1, -1)), `${kind} ${sample}`).toBe(false)
        for (const line of lines) parse(line)
        expect(lines).toHaveLength(6)
      }
    }
  })

  it('redacts secretly named fields at any depth', () => {
    const { log, lines } = capture()
    log.info({ a: { b: [{ apiKey: 'hunter2', Password: 'hunter2' }] } }, 'x')
    log.child({ token: 'hunter2' }).info({ authorization: 'hunter2' }, 'password=hunter2')
    expect(lines.join('')).not.toContain('hunter2')
  })

  it('logs only the needed fields of requests', async () => {
    const { log, lines } = capture()
    const app = Fastify({ loggerInstance: log })
    app.get('/x', async () => {
      throw new Error('broken for bob@example.com')
    })
    await app.inject({
      url: '/x?email=bob@example.com',
      headers: { cookie: 'sid=hunter2', authorization: 'Bearer hunter2' },
    })
    await app.close()
    const output = lines.join('')
    expect(output).not.toMatch(/hunter2|bob@example/)
    expect(lines.map(parse)[0]?.req).toMatchObject({ method: 'GET', url: '/x?email=[email]' })
    expect(output).toContain('broken for [email]')
  })

  it('handles values that can’t be serialised', () => {
    const { log, lines } = capture()
    const cycle: Record<string, unknown> = { big: 1n }
    cycle.self = cycle
    log.info(cycle, 'cycle')
    log.info(new Proxy({}, { ownKeys: () => Reflect.ownKeys(1 as never) }), 'proxy')
    log.info(
      {
        get broken(): string {
          throw new Error('no')
        },
      },
      'getter',
    )
    const write = log.info.bind(log) as (...args: unknown[]) => void
    write('%j %d %s', cycle, 1n, Symbol('s'))
    log.info(undefined as unknown as string)
    log.info(null as unknown as string)
    for (const line of lines) parse(line)
    expect(lines).toHaveLength(6)
  })

  it('prints a short line in the terminal format, and indents the stack of an error', () => {
    const { log, lines } = capture({ pretty: true })
    log.warn({ project: 'Shop' }, 'slow')
    log.error({ err: new Error('broken') }, 'failed')
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}slow project=Shop\n$/)
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d error failed\n {4}Error: broken\n {4}at /)
  })
})
