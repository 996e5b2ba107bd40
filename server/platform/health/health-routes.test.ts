import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { createLog } from '../log/log.ts'
import { createDiskCheck } from './disk-check.ts'
import { addHealth, type HealthOptions } from './health-routes.ts'
import type { Checks } from './run-checks.ts'

const works = async () => undefined

function createApp(checks: Checks = {}, more: Partial<HealthOptions> = {}) {
  const lines: string[] = []
  const app = Fastify()
  const log = createLog({ level: 'warn', destination: { write: (line) => lines.push(line) } })
  const stopping = new AbortController().signal
  addHealth(app, { checks: { database: works, jobs: works, disk: works, ...checks }, log, stopping, ...more })
  return { app, lines }
}

describe('GET /health', () => {
  it('answers only OK', async () => {
    const reply = await createApp().app.inject('/health')
    expect([reply.statusCode, reply.body]).toEqual([200, 'OK'])
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8')
  })
})

describe('GET /ready', () => {
  it('answers 200 when everything works', async () => {
    const reply = await createApp().app.inject('/ready')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ status: 'ready', checks: { database: 'ok', jobs: 'ok', disk: 'ok' } })
  })

  it('answers 503 and names what failed, without the reason', async () => {
    const { app, lines } = createApp({
      database: async () => {
        throw new Error('connect ECONNREFUSED 10.0.0.5')
      },
      jobs: () => {
        throw new Error('at once')
      },
    })
    const reply = await app.inject('/ready')
    expect(reply.statusCode).toBe(503)
    expect(reply.json()).toEqual({ status: 'not_ready', checks: { database: 'failed', jobs: 'failed', disk: 'ok' } })
    expect(lines.join('')).toContain('ECONNREFUSED [ip]')
  })

  it('stays ready, and says so, while no worker is alive', async () => {
    const { app, lines } = createApp({ jobs: async () => 'no_worker' })
    const reply = await app.inject('/ready')
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok', jobs: 'no_worker', disk: 'ok' } },
    ])
    expect(lines.join('')).toContain('no worker has been seen')
  })

  it('gives each check its own timeout, in parallel', async () => {
    const never = () => new Promise<void>(() => undefined)
    const { app } = createApp({ database: never, jobs: never, disk: never }, { timeoutMs: 100 })
    const startedAt = Date.now()
    const reply = await app.inject('/ready')
    expect(reply.json().checks).toEqual({ database: 'timeout', jobs: 'timeout', disk: 'timeout' })
    expect(reply.statusCode).toBe(503)
    expect(Date.now() - startedAt).toBeLessThan(290)
  })

  it('runs one round for simultaneous requests', async () => {
    let asked = 0
    const { app } = createApp({
      database: async () => {
        asked++
        await wait(50)
      },
    })
    await Promise.all(Array.from({ length: 20 }, () => app.inject('/ready')))
    expect(asked).toBe(1)
    await app.inject('/ready')
    expect(asked).toBe(2)
  })

  it('answers 503 once the server was told to stop', async () => {
    const { app } = createApp({}, { stopping: AbortSignal.abort() })
    const reply = await app.inject('/ready')
    expect([reply.statusCode, reply.json().status]).toEqual([503, 'stopping'])
  })
})

describe('createDiskCheck', () => {
  it('accepts a writable folder with room and leaves nothing in it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'earshot-disk-'))
    await createDiskCheck(folder, { minFreeBytes: 1 })()
    expect(await readdir(folder)).toEqual([])
    await expect(createDiskCheck(folder, { minFreeBytes: 2 ** 60 })()).rejects.toThrow('MiB free')
    await rm(folder, { recursive: true })
    await expect(createDiskCheck(folder)()).rejects.toThrow('ENOENT')
  })

  it('refuses a folder that can not be written', async () => {
    await expect(createDiskCheck('/proc', { minFreeBytes: 0 })()).rejects.toThrow()
  })
})
