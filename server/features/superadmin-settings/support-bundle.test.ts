import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '#server/testing/builders.ts'
import { readZip } from '#server/testing/read-zip.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const path = '/api/v1/superadmin/support-bundle'
const random = (length = 24) => randomBytes(length).toString('hex').slice(0, length)
/** Each is looked for in the bundle, whatever stands around it. */
const planted: string[] = []
const plant = (value: string): string => {
  planted.push(value)
  return value
}

const env = {
  INSTANCE_SECRET: plant(random(40)),
  INSTANCE_SECRET_PREVIOUS: plant(random(40)),
  STRIPE_WEBHOOK_SECRET: plant(`whsec_${random()}`),
  S3_BUCKET: 'files',
  S3_ENDPOINT: `https://user:${plant(random())}@store.example.com`,
  S3_ACCESS_KEY_ID: plant(random()),
  S3_SECRET_ACCESS_KEY: plant(random()),
  SMTP_URL: `smtp://mailer:${plant(random())}@127.0.0.1:1?token=${plant(random())}`,
  SENTRY_DSN: `https://${plant(random())}@errors.example.com/1`,
  POSTHOG_KEY: plant(`phc_${random()}`),
  DOCS_EDIT_URL: `https://git:${plant(random())}@git.example.com/docs?key=${plant(random())}`,
}
const secretFields = [
  'password',
  'secret',
  'token',
  'apiKey',
  'authorization',
  'cookie',
  'credential',
  'jwt',
  'clientSecret',
  'privateKey',
  'accessToken',
  'refresh_token',
]
const secretWords = [
  (value: string) => `Bearer ${value}`,
  (value: string) => `password=${value}`,
  (value: string) => `api_key: ${value}`,
  (value: string) => `token=${value}&page=2`,
  (value: string) => `https://me:${value}@example.com/path`,
  (value: string) => `postgres://me:${value}@127.0.0.1/earshot`,
  (value: string) => `https://example.com/?access_token=${value}`,
  (value: string) => `{"secret":"${value}"}`,
]
let server: TestServer
let superadmin: string

beforeAll(async () => {
  server = await startTestServer(env)
  superadmin = await server.signIn(await createUser(server.client))
})
afterAll(() => server?.stop())

async function readBundle(): Promise<Record<string, string>> {
  const reply = await server.call(path, { token: superadmin })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="earshot-support.zip"')
  const files = readZip(Buffer.from(await reply.arrayBuffer()))
  return Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString()]))
}

describe('GET /api/v1/superadmin/support-bundle', () => {
  it('contains settings, versions, health, migrations, tables and the last log lines', async () => {
    server.log.warn({ requestId: 'req-of-the-bundle' }, 'a line for support')
    const files = await readBundle()
    expect(Object.keys(files).sort()).toEqual([
      'database.json',
      'health.json',
      'logs.ndjson',
      'migrations.json',
      'settings.json',
      'versions.json',
    ])
    expect(files['settings.json']).toContain('"UPLOAD_KEEP_HOURS"')
    expect(files['versions.json']).toContain('"earshot": "1.0.0"')
    expect(files['database.json']).toMatch(/PostgreSQL \d+.*public\.projects/s)
    expect(files['migrations.json']).toContain('0001_auth.sql')
    expect(files['logs.ndjson']).toContain('a line for support')
    for (const text of Object.values(files)) expect(text).not.toContain('"error":')
  })

  it('contains none of 50 planted secrets', async () => {
    for (const field of secretFields) server.log.info({ [field]: plant(random()), deep: { [field]: plant(random()) } })
    for (const write of secretWords) {
      server.log.info(write(plant(random())))
      server.log.error({ err: new Error(write(plant(random()))) }, 'it failed')
    }
    const secret = plant(random())
    await fetch(`${server.url}/api/v1/nowhere?token=${plant(random())}`, {
      headers: {
        authorization: `Bearer ${secret}`,
        cookie: `session=${plant(random())}`,
        'x-api-key': plant(random()),
      },
    })
    server.log.info(`card ${plant('4242424242424242')} of ${plant('planted.person@example.com')}`)
    expect(planted.length).toBeGreaterThanOrEqual(50)
    const text = Object.values(await readBundle()).join('\n')
    expect(text).toContain('it failed')
    expect(planted.filter((value) => text.includes(value))).toEqual([])
  })

  it('refuses members and strangers', async () => {
    const member = await server.signIn(await createUser(server.client))
    expect((await server.call(path, { token: member })).status).toBe(403)
    expect((await server.call(path)).status).toBe(401)
  })
})
