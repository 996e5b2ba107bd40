import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EmailPreview, EmailTemplate, EmailTemplateLine, ImportChange } from '#contract/email-templates.ts'
import type { Problem } from '#contract/errors.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/* Words of emails over HTTP, and what emails are written with afterwards. */

let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000', GOTRUE_SMTP_MAX_FREQUENCY: '0' })
  token = await server.signIn(await createUser(server.client, { email: 'root@example.com' }))
})
afterAll(() => server?.stop())
beforeEach(async () => {
  await server.client.query('delete from app.email_templates; delete from app.email_pauses; delete from app.emails')
  await expectTitle('Sign in to Earshot')
})

const call = (path: string, options: { method?: string; body?: unknown } = {}) =>
  server.call(`/api/v1/superadmin/email-templates${path}`, { token, ...options })
const read = async <T>(path: string) => (await (await call(path)).json()) as T
const put = (id: string, version: number, words: Record<string, string>) =>
  call(`/${id}`, { method: 'PUT', body: { version, words } })
const save = async (id: string, version: number, words: Record<string, string>) => {
  const response = await put(id, version, words)
  expect(response.status).toBe(200)
  return (await response.json()) as EmailTemplate
}
const refusal = async (response: Response) => {
  const { code, fields } = (await response.json()) as Problem
  return [response.status, code, ...(fields ?? []).map(({ path, message }) => `${path} ${message}`)]
}
const revisionsOf = async (id: string) =>
  (
    await read<{ items: { id: string; version: number; isReset: boolean; savedBy: string | null }[] }>(
      `/${id}/revisions`,
    )
  ).items

/** Asks for a sign-in link, and reads its email. */
async function requestLink() {
  await server.call('/auth/v1/otp', { body: { email: 'root@example.com', create_user: false } })
  const mail = (await server.mails()).filter(({ kind }) => kind === 'magic_link').at(-1)
  return { subject: mail?.subject, title: mail?.text.split('\n')[0] }
}

/** A save reaches every process within a second. */
async function expectTitle(title: string): Promise<void> {
  await expect.poll(async () => (await requestLink()).title, { timeout: 5000 }).toBe(title)
}

describe('PUT /api/v1/superadmin/email-templates/{id}', () => {
  it('changes the words of the next email, keeps those that are not sent, and writes the audit log', async () => {
    const saved = await save('magic_link', 0, { title: ' Hello at {{product}} ' })
    expect(saved).toMatchObject({ version: 1, state: 'customised', hasNewDefault: false, problems: [] })
    expect(saved.words).toEqual({ ...saved.defaultWords, title: 'Hello at {{product}}' })
    await expectTitle('Hello at Earshot')
    const { items } = await read<{ items: EmailTemplateLine[] }>('')
    const changed = items.filter(({ state }) => state !== 'default')
    expect(changed).toMatchObject([{ id: 'magic_link', updatedBy: 'Ada Example', isSentBySupabase: false }])
    const { rows } = await server.client.query(
      `select action, target_name, after from audit_log where target_type = 'email_template' order by created_at desc limit 1`,
    )
    expect(rows).toEqual([
      { action: 'email_template.saved', target_name: 'Sign-in link', after: { template: 'magic_link', version: 1 } },
    ])
  })

  it('names the product in every email', async () => {
    await save('layout', 0, { product: 'Acme Voice', footer: 'Acme Ltd · {{host}}' })
    await expectTitle('Sign in to Acme Voice')
    const [mail] = (await server.mails()).slice(-1)
    expect(mail?.subject).toBe('Your sign-in link for Acme Voice')
    expect(mail?.html).toMatch(/Acme Ltd · <a class="link" href="http:\/\/127\.0\.0\.1:\d+"/)
  })

  it('refuses an unknown variable, names it and suggests the nearest', async () => {
    expect(await refusal(await put('magic_link', 0, { subject: 'For {{emial}}', notes: '{{x' }))).toEqual([
      400,
      'validation_failed',
      'body.words.subject uses the unknown variable {{emial}}. Did you mean {{email}}?',
      'body.words.notes contains “{{”, which is no variable. Write a variable as {{name}}',
    ])
    expect(await revisionsOf('magic_link')).toEqual([])
  })

  it('sends a script as text', async () => {
    await save('magic_link', 0, { title: '<script>alert(1)</script>' })
    await expectTitle('<script>alert(1)</script>')
    const [mail] = (await server.mails()).slice(-1)
    expect(mail?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(mail?.html).not.toContain('<script')
  })

  it('answers 404 for an unknown template', async () => {
    expect(await refusal(await put('no_such', 0, {}))).toEqual([404, 'email_template_not_found'])
    expect((await call('/no_such')).status).toBe(404)
  })

  it('lets one of two concurrent saves through, and saves a repeated one once', async () => {
    const answers = await Promise.all([
      put('magic_link', 0, { title: 'One' }),
      put('magic_link', 0, { title: 'Two' }),
      put('magic_link', 0, { title: 'Three' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const { words, version } = await read<EmailTemplate>('/magic_link')
    expect(version).toBe(1)
    expect((await put('magic_link', 0, words)).status).toBe(200)
    expect(await revisionsOf('magic_link')).toHaveLength(1)
  })
})

describe('versions', () => {
  it('are listed, read and restored, and survive a reset', async () => {
    await save('magic_link', 0, { title: 'First' })
    await save('magic_link', 1, { title: 'Second' })
    const reset = await call('/magic_link/reset', { body: { version: 2 } })
    expect(await reset.json()).toMatchObject({ state: 'default', version: 3 })
    await expectTitle('Sign in to Earshot')
    // Sent again, the same reset is meant.
    expect((await call('/magic_link/reset', { body: { version: 2 } })).status).toBe(200)
    const [third, , first] = await revisionsOf('magic_link')
    expect([third, first]).toMatchObject([
      { version: 3, isReset: true, savedBy: 'Ada Example' },
      { version: 1, isReset: false },
    ])
    expect(await read(`/magic_link/revisions/${first?.id}`)).toMatchObject({ words: { title: 'First' } })
    const stale = await call(`/magic_link/revisions/${first?.id}/restoration`, { body: { version: 2 } })
    expect(await refusal(stale)).toEqual([409, 'edit_conflict'])
    const restored = await call(`/magic_link/revisions/${first?.id}/restoration`, { body: { version: 3 } })
    expect(await restored.json()).toMatchObject({ version: 4, words: { title: 'First' } })
    await expectTitle('First')
    expect((await call(`/recovery/revisions/${first?.id}`)).status).toBe(404)
  })

  it('are none of words that equal the default', async () => {
    const { defaultWords } = await read<EmailTemplate>('/magic_link')
    expect(await save('magic_link', 0, defaultWords)).toMatchObject({ state: 'default', version: 0 })
  })
})

describe('a newer version of Earshot', () => {
  it('tells that a default has changed since, until the next save', async () => {
    await save('magic_link', 0, { title: 'Mine' })
    await server.client.query(
      `update app.email_templates set default_words = jsonb_set(default_words, '{title}', '"Former"')`,
    )
    const { hasNewDefault, formerDefaultWords } = await read<EmailTemplate>('/magic_link')
    expect([hasNewDefault, formerDefaultWords?.title]).toEqual([true, 'Former'])
    expect(await save('magic_link', 1, { title: 'Mine' })).toMatchObject({ hasNewDefault: false, version: 2 })
  })

  it('sends the default when it lacks a variable of stored words, and says so', async () => {
    await save('magic_link', 0, { title: 'Mine' })
    await expectTitle('Mine')
    await server.client.query(
      `update app.email_templates set words = words || '{"title": "For {{gone}}", "removed": "{{gone}}"}'`,
    )
    await expectTitle('Sign in to Earshot')
    const template = await read<EmailTemplate>('/magic_link')
    expect(template).toMatchObject({
      state: 'broken',
      words: { title: 'For {{gone}}' },
      problems: [{ field: 'title', message: 'uses the unknown variable {{gone}}' }],
    })
    expect(template.words).not.toHaveProperty('removed')
    const [revision] = await revisionsOf('magic_link')
    await server.client.query(`update app.email_template_revisions set words = '{"title": "{{gone}}"}'`)
    const restored = await call(`/magic_link/revisions/${revision?.id}/restoration`, { body: { version: 1 } })
    expect(await refusal(restored)).toEqual([
      400,
      'validation_failed',
      'params.emailRevisionId.title uses the unknown variable {{gone}}',
    ])
  })
})

describe('POST …/previews', () => {
  const preview = async (body: object, id = 'magic_link') =>
    (await (await call(`/${id}/previews`, { body })).json()) as EmailPreview

  it('renders words with made-up data, and hints', async () => {
    const { mail, hints, problems } = await preview({
      words: { subject: `For {{email}} ${'x'.repeat(60)}` },
      sample: 0,
    })
    expect(mail?.subject).toMatch(/^For ada@example\.com x+$/)
    expect(mail?.html).toContain('Sign in to Earshot')
    expect(mail?.text).toContain('012345')
    expect([problems, hints]).toEqual([
      [],
      [{ field: 'subject', message: 'is longer than 60 characters: phones cut it off' }],
    ])
    await expectTitle('Sign in to Earshot')
  })

  it('says what is wrong with words', async () => {
    expect(await preview({ words: { title: '{{tiem}}' }, sample: 0 })).toEqual({
      mail: null,
      hints: [],
      problems: [{ field: 'title', message: 'uses the unknown variable {{tiem}}. Did you mean {{time}}?' }],
    })
  })

  it('refuses a sample that does not exist', async () => {
    const response = await call('/magic_link/previews', { body: { words: {}, sample: 7 } })
    expect(await refusal(response)).toEqual([400, 'validation_failed', 'body.sample must be less than 1'])
  })
})

describe('POST …/tests', () => {
  it('queues a marked email to the caller alone, and the next after a pause', async () => {
    const body = { words: { title: 'Just a test' }, sample: 0 }
    const response = await call('/recovery/tests', { body })
    expect(response.status).toBe(202)
    const { emailId, to } = (await response.json()) as { emailId: string; to: string }
    expect(to).toBe('root@example.com')
    const mail = (await server.mails()).find(({ kind }) => kind === 'template_test')
    expect(mail).toMatchObject({ to, subject: '[Test] Reset your Earshot password' })
    expect(mail?.text).toMatch(/^Just a test\n/)
    const email = await server.call(`/api/v1/superadmin/emails/${emailId}`, { token })
    expect(await email.json()).toMatchObject({ kind: 'template_test', status: 'queued' })
    const again = await call('/recovery/tests', { body })
    expect([again.status, Number(again.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await read<EmailTemplate>('/recovery')).state).toBe('default')
  })
})

describe('export and import', () => {
  const send = (body: object) => call('/import', { body })

  it('carry words from one instance to another', async () => {
    await save('magic_link', 0, { title: 'Mine' })
    await save('plan_warning.items', 0, { title: 'Too much' })
    const file = await read<{ templates: Record<string, Record<string, string>> }>('/export')
    expect(Object.keys(file.templates)).toEqual(['magic_link', 'plan_warning.items'])
    await call('/magic_link/reset', { body: { version: 1 } })
    const dry = await send({ isDryRun: true, templates: file.templates })
    const { changes } = (await dry.json()) as { changes: ImportChange[] }
    expect(changes).toMatchObject([
      { id: 'magic_link', change: 'new', version: 2, before: { title: 'Sign in to {{product}}' } },
      { id: 'plan_warning.items', change: 'same' },
    ])
    expect((await read<EmailTemplate>('/magic_link')).state).toBe('default')
    const versions = { magic_link: 2, 'plan_warning.items': 1 }
    expect((await send({ isDryRun: false, templates: file.templates, versions })).status).toBe(200)
    await expectTitle('Mine')
    // Sent again, nothing is left to do.
    expect((await send({ isDryRun: false, templates: file.templates, versions })).status).toBe(200)
    expect((await read<EmailTemplate>('/magic_link')).version).toBe(3)
  })

  it('write nothing when one text is wrong, or was changed since the dry run', async () => {
    const templates = { magic_link: { title: 'Good' }, recovery: { title: '{{bad}}' }, no_such: {} }
    expect(await refusal(await send({ isDryRun: false, templates }))).toEqual([
      400,
      'validation_failed',
      'body.templates.recovery.title uses the unknown variable {{bad}}',
      'body.templates.no_such is not an email of this version of Earshot',
    ])
    const stale = { magic_link: { title: 'Good' }, recovery: { title: 'Good' } }
    const versions = { magic_link: 0, recovery: 5 }
    expect(await refusal(await send({ isDryRun: false, templates: stale, versions }))).toEqual([409, 'edit_conflict'])
    expect(await revisionsOf('magic_link')).toEqual([])
  })
})

describe('another process', () => {
  let other: ChildProcess | undefined
  afterEach(() => {
    other?.kill()
  })

  /** A process of its own that keeps words as every process does, and renders an email for each line that it reads. */
  const program = `
    import { createInterface } from 'node:readline'
    import { openDatabase } from '#server/platform/database/database.ts'
    import { renderMagicLink } from '#server/features/mail/magic-link.mail.ts'
    import { createWordKeeper } from '#server/features/mail/templates/word-book.ts'
    const log = { warn() {}, debug() {} }
    const database = openDatabase({ url: process.argv[1], log, maxConnections: 2 })
    await createWordKeeper({ database, log }).start()
    const requester = { at: new Date(), userAgent: null, ip: null }
    const link = { appUrl: 'https://x.example', to: 'a@b.co', link: 'https://x.example/l', code: '1', validMinutes: 1, requester }
    const write = () => process.stdout.write(renderMagicLink(link).text.split('\\n')[0] + '\\n')
    write()
    for await (const line of createInterface({ input: process.stdin })) write()`

  it('has saved words within a second, and each email has words of one save', async () => {
    await save('magic_link', 0, { title: 'Before' })
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, server.databaseUrl], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    other = child
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async () => (await lines.next()).value as string
    const ask = () => {
      child.stdin.write('\n')
      return next()
    }
    expect(await next()).toBe('Before')
    await save('magic_link', 1, { title: 'After' })
    await expect.poll(ask, { timeout: 5000, interval: 20 }).toBe('After')
    await server.client.query('delete from app.email_templates')
    await expect.poll(ask, { timeout: 5000, interval: 20 }).toBe('Sign in to Earshot')
  })
})
