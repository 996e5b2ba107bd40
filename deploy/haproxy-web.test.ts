import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { startWebProxy } from '../bench/failover/haproxy.ts'
import type { Program } from '../bench/failover/program.ts'

/** A web process that can be stopped, and can say that it is not ready. */
interface WebProcess {
  readonly port: number
  isReady: boolean
  stop(): Promise<void>
}

let folder: string
let proxy: Program
let url: string
let first: WebProcess
let second: WebProcess

async function startWebProcess(): Promise<WebProcess> {
  const port = await findFreePort()
  const server: Server = createServer((request, response) => {
    if (request.url === '/ready' && !web.isReady) response.statusCode = 503
    response.setHeader('connection', 'close').end(String(port))
  })
  const web: WebProcess = {
    port,
    isReady: true,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return web
}

async function ask(): Promise<string> {
  const reply = await fetch(`${url}/api/v1/config`)
  return `${reply.status} ${await reply.text()}`
}

/** Those that HAProxy says it has taken out. */
function listDown(): string[] {
  const log = readFileSync(join(folder, 'haproxy-web.log'), 'utf8')
  return ['web1', 'web2'].filter((name) => log.includes(`${name} is DOWN`))
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-haproxy-'))
  first = await startWebProcess()
  second = await startWebProcess()
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  proxy = startWebProxy({ folder, user: undefined }, port, [first.port, second.port])
  await expect.poll(() => ask().catch(() => '')).toMatch(/^200/)
})
afterEach(async () => {
  await proxy.stop('SIGKILL')
  await Promise.all([first.stop(), second.stop()])
  rmSync(folder, { recursive: true })
})

/** The tests run where HAProxy is installed. */
describe.skipIf(!existsSync('/usr/sbin/haproxy'))('the settings of HAProxy in front of two web processes', () => {
  it('send a request to the other process when one refuses the connection', async () => {
    await second.stop()
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(answers)).toEqual(new Set([`200 ${first.port}`]))
  })

  it('ask the process that is left although it is not ready', async () => {
    await second.stop()
    first.isReady = false
    await expect.poll(listDown).toEqual(['web1', 'web2'])
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(answers)).toEqual(new Set([`200 ${first.port}`]))
  })

  it('say when to try again while no process takes connections', async () => {
    await Promise.all([first.stop(), second.stop()])
    const reply = await fetch(url)
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2'])
  })
})
