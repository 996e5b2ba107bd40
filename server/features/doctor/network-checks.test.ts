import { createSocket } from 'node:dgram'
import { getServers, setServers } from 'node:dns/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { startMailCatcher } from '#doubles/mail.ts'
import { startS3Double } from '#doubles/s3.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { examine } from './examined-instance.ts'

/* Checks that ask other servers: real ones on this machine, which answer wrongly and then rightly. */

let dataDir: string
let server: TestServer
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'earshot-doctor-'))
  server = await startTestServer({ METRICS: 'on' })
})
afterAll(async () => {
  await server?.stop()
  await rm(dataDir, { recursive: true })
})

const stops: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void
/** A server that answers as it is told. Its answer can be replaced. */
async function startOther(answer: Answer) {
  const told = { answer }
  const other = createServer((request, response) => told.answer(request, response))
  // What a proxy does: it judges the announced length before the body comes.
  other.on('checkContinue', (request, response) => told.answer(request, response))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  stops.push(() => other.close())
  // A listening TCP server's address is an object.
  return { told, url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` }
}
const say =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, headers).end(body)
  }
const status = async (id: string, env: Readonly<Record<string, string>>) => (await examine(id, { dataDir, env })).status

describe('app-url-reachable', () => {
  it('finds an address where no one or someone else answers', async () => {
    expect(await status('app-url-reachable', { APP_URL: `http://127.0.0.1:${await findFreePort()}` })).toBe('failed')
    const { url } = await startOther(say(200, 'Welcome to nginx'))
    expect(await status('app-url-reachable', { APP_URL: url })).toBe('failed')
    expect(await status('app-url-reachable', { APP_URL: server.url })).toBe('ok')
  })
})

describe('metrics-exposed', () => {
  it('finds metrics that anyone can read', async () => {
    expect(await status('metrics-exposed', { APP_URL: server.url, METRICS: 'on' })).toBe('warning')
    const { url } = await startOther(say(403))
    expect(await status('metrics-exposed', { APP_URL: url, METRICS: 'on' })).toBe('ok')
    expect(await status('metrics-exposed', { APP_URL: server.url })).toBe('ok')
  })
})

describe('upload-size', () => {
  it('finds a proxy that refuses large files, without sending one', async () => {
    const { url, told } = await startOther(say(413, 'Request Entity Too Large'))
    expect(await status('upload-size', { APP_URL: url })).toBe('failed')
    told.answer = say(502)
    expect(await status('upload-size', { APP_URL: url })).toBe('warning')
    told.answer = (_request, response) => response.writeContinue()
    expect(await status('upload-size', { APP_URL: url })).toBe('ok')
    expect(await status('upload-size', { APP_URL: server.url })).toBe('ok')
    expect(await status('upload-size', { APP_URL: `http://127.0.0.1:${await findFreePort()}` })).toBe('not_applicable')
  })
})

describe('mail-server', () => {
  it('finds a mail server that is away', async () => {
    const [smtpPort, webPort] = [await findFreePort(), await findFreePort()]
    const env = { SMTP_URL: `smtp://127.0.0.1:${smtpPort}` }
    expect(await status('mail-server', env)).toBe('failed')
    const mail = await startMailCatcher({ smtpPort, webPort })
    stops.push(() => mail.stop())
    expect(await status('mail-server', env)).toBe('ok')
  })
})

/** A DNS server that knows the mail server of one domain. */
async function startDns(known: string): Promise<void> {
  const dns = createSocket('udp4')
  dns.on('message', (question, { port, address }) => {
    const name = question.subarray(12, question.indexOf(0, 12) + 1)
    const labels = readLabels(name)
    const isMx = question.readUInt16BE(12 + name.length) === 15
    const header = Buffer.from(question.subarray(0, 12))
    const hasAnswer = labels === known && isMx
    // Answer to a question, without error or with “no such name”.
    header.writeUInt16BE(labels === known ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(hasAnswer ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    const asked = question.subarray(12, 12 + name.length + 4)
    // The same name, type MX, class IN, 60 s, four bytes: preference 10, and the name again.
    const answer = hasAnswer
      ? Buffer.from([0xc0, 12, 0, 15, 0, 1, 0, 0, 0, 60, 0, 4, 0, 10, 0xc0, 12])
      : Buffer.alloc(0)
    dns.send(Buffer.concat([header, asked, answer]), port, address)
  })
  await new Promise<void>((resolve) => dns.bind(0, '127.0.0.1', resolve))
  const before = getServers()
  setServers([`127.0.0.1:${dns.address().port}`])
  stops.push(() => {
    setServers(before)
    dns.close()
  })
}

/** `mail.example` of its labels, each behind its length. */
function readLabels(name: Uint8Array): string {
  const labels: string[] = []
  for (let at = 0; (name[at] ?? 0) > 0; at += (name[at] ?? 0) + 1) {
    labels.push(Buffer.from(name.subarray(at + 1, at + 1 + (name[at] ?? 0))).toString())
  }
  return labels.join('.').toLowerCase()
}

describe('mail-from', () => {
  it('finds a domain that does not exist', async () => {
    await startDns('earshot.dev')
    const env = { NODE_ENV: 'production', APP_URL: 'https://feedback.earshot.dev' }
    expect(await examine('mail-from', { dataDir, env: { ...env, MAIL_FROM: 'a@eershot.dev' } })).toMatchObject({
      status: 'warning',
      sentence: expect.stringContaining('eershot.dev of MAIL_FROM has no entry'),
    })
    expect(await status('mail-from', { ...env, MAIL_FROM: 'Earshot <a@earshot.dev>' })).toBe('ok')
  })
})

describe('storage', () => {
  it('finds a bucket that does not exist', async () => {
    const double = await startS3Double()
    stops.push(() => double.stop())
    expect(await examine('storage', { dataDir, env: { ...double.settings, S3_BUCKET: 'missing' } })).toMatchObject({
      status: 'failed',
      sentence: expect.stringContaining('NoSuchBucket'),
    })
    expect(await status('storage', double.settings)).toBe('ok')
  })
})

describe('storage-clock', () => {
  it('finds an object store whose clock is wrong', async () => {
    const wrong = new Date(Date.now() - 3_600_000).toUTCString()
    const { url, told } = await startOther(say(403, '', { date: wrong }))
    const env = { S3_BUCKET: 'files', S3_ENDPOINT: url }
    expect(await examine('storage-clock', { dataDir, env })).toMatchObject({
      status: 'failed',
      sentence: expect.stringContaining('60 minutes'),
    })
    told.answer = say(403)
    expect(await status('storage-clock', env)).toBe('ok')
  })
})

describe('google-reachable', () => {
  it('finds an issuer that does not answer as Google does', async () => {
    const { url, told } = await startOther(say(404))
    const env = {
      GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'on',
      GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'client',
      GOTRUE_EXTERNAL_GOOGLE_SECRET: 'secret',
      GOTRUE_EXTERNAL_GOOGLE_URL: url,
    }
    expect(await status('google-reachable', env)).toBe('failed')
    told.answer = say(200, '{"authorization_endpoint":"https://accounts.google.com/o/oauth2/v2/auth"}')
    expect(await status('google-reachable', env)).toBe('ok')
  })
})

describe('supabase-reachable', () => {
  it('finds a paused project, and sends the key', async () => {
    const { url, told } = await startOther(say(540))
    const env = { SUPABASE_URL: url, SUPABASE_ANON_KEY: 'anon-key' }
    expect(await status('supabase-reachable', env)).toBe('failed')
    told.answer = ({ headers }, response) => {
      response.writeHead(headers.apikey === 'anon-key' ? 200 : 401).end()
    }
    expect(await status('supabase-reachable', env)).toBe('ok')
  })
})

describe('stripe-reachable', () => {
  it('finds a key that Stripe does not accept', async () => {
    const { url, told } = await startOther(say(401))
    const env = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_API_URL: url }
    expect(await status('stripe-reachable', env)).toBe('failed')
    told.answer = say(200, '{}')
    expect(await status('stripe-reachable', env)).toBe('ok')
    expect(await status('stripe-reachable', { ...env, STRIPE_API_URL: 'http://127.0.0.1:1' })).toBe('failed')
  })
})
