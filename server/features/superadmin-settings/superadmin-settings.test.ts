import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShownSetting } from '#contract/superadmin-settings.ts'
import { settings } from '#server/settings.ts'
import { describeSettings } from '#server/shown-settings.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const planted = {
  INSTANCE_SECRET: 'planted-instance-secret-0123456789abcdef',
  INSTANCE_SECRET_PREVIOUS: 'planted-previous-secret-0123456789abcdef',
  STRIPE_WEBHOOK_SECRET: 'whsec_planted',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'planted-access-key',
  S3_SECRET_ACCESS_KEY: 'planted-storage-secret',
  SMTP_URL: 'smtp://mailer:planted-mail-password@127.0.0.1:1?token=planted-parameter',
  SENTRY_DSN: 'https://planted-dsn-key@errors.example.com/1',
  DOCS_EDIT_URL: 'https://git:planted-git-password@git.example.com/docs?key=planted-query',
}
let server: TestServer
let superadmin: string
let member: string

beforeAll(async () => {
  server = await startTestServer({ ...planted, GOTRUE_PASSWORD_MIN_LENGTH: '9', GOTRUE_DISABLE_SIGNUP: 'off' })
  superadmin = await server.signIn(await createUser(server.client))
  member = await server.signIn(await createUser(server.client))
})
afterAll(() => server?.stop())

async function read(): Promise<Map<string, ShownSetting>> {
  const reply = await server.call('/api/v1/superadmin/settings', { token: superadmin })
  expect(reply.status).toBe(200)
  const { items } = (await reply.json()) as { items: ShownSetting[] }
  return new Map(items.map((item) => [item.name, item]))
}

describe('GET /api/v1/superadmin/settings', () => {
  it('lists every setting with its sentence, value and source', async () => {
    const shown = await read()
    expect([...shown.keys()]).toEqual(Object.keys(settings))
    expect(shown.get('GOTRUE_PASSWORD_MIN_LENGTH')).toEqual({
      name: 'GOTRUE_PASSWORD_MIN_LENGTH',
      sentence: 'Minimum password length.',
      value: '9',
      isSecret: false,
      isSet: true,
      source: 'environment',
    })
    expect(shown.get('GOTRUE_DISABLE_SIGNUP')).toMatchObject({ value: 'off', source: 'environment' })
    expect(shown.get('UPLOAD_KEEP_HOURS')).toMatchObject({ value: '24', isSet: true, source: 'default' })
    expect(shown.get('OPERATOR_NAME')).toMatchObject({ value: null, isSet: false, source: 'default' })
    expect(shown.get('GOTRUE_JWT_KEYS')).toMatchObject({ value: null, isSet: true, source: 'generated' })
  })

  it('hides secrets, and credentials and parameters of URLs', async () => {
    const shown = await read()
    expect(shown.get('INSTANCE_SECRET')).toMatchObject({ value: null, isSecret: true, isSet: true })
    expect(shown.get('SMTP_URL')).toMatchObject({ value: 'smtp://127.0.0.1:1', isSecret: false })
    expect(shown.get('DOCS_EDIT_URL')?.value).toBe('https://git.example.com/docs')
    const text = JSON.stringify([...shown.values()])
    expect(text.match(/planted[\w-]*/g)).toBeNull()
    expect(text).not.toContain(new URL(server.databaseUrl).password || 'no password')
  })

  it('refuses members and strangers', async () => {
    expect((await server.call('/api/v1/superadmin/settings', { token: member })).status).toBe(403)
    expect((await server.call('/api/v1/superadmin/settings')).status).toBe(401)
  })
})

describe('describeSettings', () => {
  it('names the file and Earshot itself as sources', () => {
    const env = { APP_URL: 'https://a.example', DATABASE_URL: 'postgres://u:hidden@localhost/db', PORT: '' }
    const shown = describeSettings(env, { APP_URL: 'file', DATABASE_URL: 'generated', PORT: 'file' })
    const find = (name: string) => shown.find((each) => each.name === name)
    expect(find('APP_URL')).toMatchObject({ value: 'https://a.example', source: 'file' })
    expect(find('DATABASE_URL')).toMatchObject({ value: 'postgres://localhost/db', source: 'generated' })
    expect(find('PORT')).toMatchObject({ value: '3000', source: 'default' })
  })

  it('hides a password of a URL that contains an @', () => {
    const shown = describeSettings({ SMTP_URL: 'smtp://me:p@ss@mail.example.com:587' })
    expect(shown.find(({ name }) => name === 'SMTP_URL')?.value).toBe('smtp://mail.example.com:587')
  })
})
