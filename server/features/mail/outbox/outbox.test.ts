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
    const oldest = await list('search=page.example&order=oldest&limit=3')
    const rest = await list(`search=page.example&order=oldest&limit=3&cursor=${oldest.nextCursor}`)
    expect([...oldest.items, ...rest.items].map(({ id }) => id)).toEqual(ids)
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

describe('GET /api/v1/superadmin/emails/{emailId}', () => {
  it('shows the attempts of an email with time and answer, and no body', async () => {
    const id = await addEmail({ to: 'detail@detail.example', failed: '1 hour', error: 'refused with 550' })
    await server.client.query(
      `insert into app.email_attempts (email_id, number, answer) values ($1, 2, '550 no such user'), ($1, 1, '450 later')`,
      [id],
    )
    const text = await (await call(`/${id}`)).text()
    expect(JSON.parse(text)).toMatchObject({
      id,
      status: 'failed',
      canRetry: true,
      history: [
        { number: 1, answer: '450 later', at: expect.stringMatching(/Z$/) },
        { number: 2, answer: '550 no such user' },
      ],
    })
    expect(text).not.toMatch(/482913|token=/)
    expect((await call(`/${randomUUID()}`)).status).toBe(404)
  })
})

describe('POST /api/v1/superadmin/emails/{emailId}/retry', () => {
  const retry = (id: string) => call(`/${id}/retry`, { method: 'POST' })
  const nextRuns = async (id: string) =>
    (
      await server.client.query('select run_at <= now() as due from graphile_worker.jobs where key = $1', [
        `send_email:${id}`,
      ])
    ).rows as { due: boolean }[]
  const entries = async (action: string) =>
    (await server.client.query('select actor_kind, target_name, after from audit_log where action = $1', [action])).rows

  it('queues a failed email again, and records who did it', async () => {
    const id = await addEmail({ to: 'again@retry.example', failed: '1 hour' })
    expect((await retry(id)).status).toBe(202)
    expect((await list('search=again@retry')).items).toMatchObject([{ id, status: 'queued', failedAt: null }])
    expect(await nextRuns(id)).toEqual([{ due: true }])
    expect(await entries('email.retried')).toMatchObject([
      { actor_kind: 'superadmin', target_name: 'again@retry.example' },
    ])
  })

  it('brings the next attempt of a waiting email forward', async () => {
    const id = await addEmail({ to: 'soon@retry.example' })
    await server.client.query(
      `select app.enqueue_job('send_email', json_build_object('emailId', $1::text), 'send_email:' || $1, now() + interval '4 hours')`,
      [id],
    )
    expect(await nextRuns(id)).toEqual([{ due: false }])
    expect((await retry(id)).status).toBe(202)
    expect(await nextRuns(id)).toEqual([{ due: true }])
  })

  it('refuses a sent email, one without a body and an unknown one', async () => {
    const sent = await addEmail({ to: 'sent@retry.example', sent: '1 hour' })
    const empty = await addEmail({ to: 'empty@retry.example', failed: '15 days' })
    await server.client.query(`update app.emails set html = '', text = '' where id = $1`, [empty])
    expect([(await retry(sent)).status, (await retry(empty)).status, (await retry(randomUUID())).status]).toEqual([
      409, 409, 404,
    ])
  })

  it('queues all failed emails again, but suppressed ones', async () => {
    const failed = [
      await addEmail({ to: 'a@all.example', failed: '1 day' }),
      await addEmail({ to: 'b@all.example', failed: '2 days' }),
    ]
    const suppressed = await addEmail({ to: 'c@all.example', failed: '1 day' })
    await server.client.query('update app.emails set suppressed_at = now() where id = $1', [suppressed])
    const reply = await call('/retries', { method: 'POST' })
    const { retried } = (await reply.json()) as { retried: number }
    expect(retried).toBeGreaterThanOrEqual(2)
    expect((await list('search=all.example&status=queued')).items.map(({ id }) => id).sort()).toEqual(failed.sort())
    expect((await list('search=all.example&status=suppressed')).items.map(({ id }) => id)).toEqual([suppressed])
    expect(await entries('email.all_retried')).toMatchObject([{ after: { retried } }])
  })
})
