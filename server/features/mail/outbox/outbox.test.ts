import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OutboxEmail } from '#contract/superadmin-emails.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/* What superadmins read of the outbox, over HTTP. */

let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000' })
  token = await server.signIn(await createUser(server.client))
})
afterAll(() => server?.stop())

interface Given {
  readonly to: string
  readonly kind?: string
  readonly sent?: string
  readonly failed?: string
  readonly error?: string
}

async function addEmail({ to, kind = 'recovery', sent, failed, error }: Given): Promise<string> {
  const id = randomUUID()
  await server.client.query(
    `insert into app.emails (id, kind, to_address, subject, html, text, attempts, last_error, sent_at, failed_at)
     values ($1, $2, $3, 'code 482913', 'https://x/?token=secret', 'https://x/?token=secret', 1, $4,
       now() - $5::interval, now() - $6::interval)`,
    [id, kind, to, error ?? null, sent ?? null, failed ?? null],
  )
  return id
}

const call = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
  server.call(`/api/v1/superadmin/emails${path}`, { token, ...options })
const list = async (query: string) =>
  (await (await call(`?${query}`)).json()) as { items: OutboxEmail[]; nextCursor: string | null }

describe('GET /api/v1/superadmin/emails', () => {
  it('finds emails by part of the address, kind and status', async () => {
    const waiting = await addEmail({ to: 'Ada@find.example' })
    const sent = await addEmail({ to: 'ada@find.example', kind: 'invite', sent: '1 hour' })
    const failed = await addEmail({ to: 'bob@find.example', failed: '1 hour', error: 'refused with 550' })
    const find = async (query: string) => (await list(query)).items.map(({ id }) => id)
    expect(await find('search=FIND.example')).toEqual([failed, sent, waiting])
    expect(await find('search=ada@find')).toEqual([sent, waiting])
    expect(await find('search=find.example&kind=invite')).toEqual([sent])
    expect(await find('search=find.example&status=queued')).toEqual([waiting])
    expect(await find('search=find.example&status=sent')).toEqual([sent])
    expect((await list('search=find.example&status=failed')).items).toMatchObject([
      {
        id: failed,
        to: 'bob@find.example',
        status: 'failed',
        attempts: 1,
        lastError: 'refused with 550',
        sentAt: null,
      },
    ])
    expect(await find('search=%25')).toEqual([])
  })

  it('never shows subjects or bodies, which contain codes and links', async () => {
    await addEmail({ to: 'secret@secret.example' })
    const text = await (await call('?search=secret.example')).text()
    expect(text).toContain('secret@secret.example')
    expect(text).not.toMatch(/482913|token=/)
  })

  it('pages without repeating or missing an email', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) ids.push(await addEmail({ to: `p${index}@page.example` }))
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await list(`search=page.example&limit=2${cursor}`)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
    } while (cursor !== '')
    expect(seen).toEqual(ids.toReversed())
  })

  it('refuses a foreign cursor and an unknown status', async () => {
    for (const query of [
      'cursor=abc',
      `cursor=${Buffer.from(`${randomUUID()}2026-99-99 00:00:00+00`).toString('base64url')}`,
    ]) {
      const reply = await call(`?${query}`)
      expect([reply.status, ((await reply.json()) as { fields: { path: string }[] }).fields[0]?.path]).toEqual([
        400,
        'query.cursor',
      ])
    }
    expect((await call('?status=lost')).status).toBe(400)
  })

  it('is refused to everyone who is no superadmin', async () => {
    const other = await server.signIn(await createUser(server.client))
    expect((await call('', { token: other })).status).toBe(403)
    expect((await call('/summary', { token: other })).status).toBe(403)
    expect((await call('/exports', { method: 'POST', body: {}, token: other })).status).toBe(403)
  })
})

describe('GET /api/v1/superadmin/emails/summary', () => {
  it('counts waiting, sent and failed emails of a day and of 14 days', async () => {
    const read = async () => (await (await call('/summary')).json()) as Record<string, Record<string, number>>
    const before = await read()
    await addEmail({ to: 'a@sum.example', kind: 'summed' })
    await addEmail({ to: 'a@sum.example', sent: '23 hours' })
    await addEmail({ to: 'a@sum.example', sent: '25 hours' })
    await addEmail({ to: 'a@sum.example', failed: '13 days' })
    await addEmail({ to: 'a@sum.example', sent: '15 days' })
    const after = await read()
    expect(Number(after.queued) - Number(before.queued)).toBe(1)
    expect(after.day).toEqual({ sent: Number(before.day?.sent) + 1, failed: before.day?.failed })
    expect(after.fortnight).toEqual({
      sent: Number(before.fortnight?.sent) + 2,
      failed: Number(before.fortnight?.failed) + 1,
    })
    expect(after.kinds).toContain('summed')
  })
})

describe('POST /api/v1/superadmin/emails/exports', () => {
  it('downloads what the filters match as CSV', async () => {
    const id = await addEmail({ to: 'csv@csv.example', failed: '1 hour', error: '=1+1' })
    const reply = await call('/exports', { method: 'POST', body: { search: 'csv.example' } })
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = (await reply.text()).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(new RegExp(`,recovery,csv@csv.example,failed,1,'=1\\+1,.*,${id}$`))
  })
})
