import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import type { Job } from '#server/platform/jobs/job.ts'
import { createLog } from '#server/platform/log/log.ts'
import { MailServerAwayError, openMailTransport } from '#server/platform/mail/mail-transport.ts'
import { neverReadOnly } from '#server/platform/read-only/read-only.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { startDatabaseLine } from '#server/testing/database-line.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { createMailJobs } from './mail.jobs.ts'
import { beginEmailPause, queueEmail } from './mail.service.ts'

const log = createLog({ level: 'silent' })
const mail = { kind: 'test_mail', subject: 'Grüße', html: '<p>secret link</p>', text: 'secret link' }
let testDatabase: TestDatabase
let database: Database
let sql: pg.Pool

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ url: testDatabase.url, log, maxConnections: 5 })
  sql = new pg.Pool({ connectionString: testDatabase.url, max: 2 })
  sql.on('error', () => {})
})
afterAll(async () => {
  await Promise.all([database?.close(), sql?.end()])
  await testDatabase?.drop()
})

/** A mail server that speaks just enough SMTP, with configurable replies to recipients. */
interface SmtpServer {
  readonly url: string
  readonly messages: string[]
  recipientReply: string
  /** Called with each message before it is accepted. */
  onMessage: () => Promise<void>
  close(): Promise<void>
}

async function startSmtp(port = 0): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const state = { messages: [] as string[], recipientReply: '250 ok', onMessage: async () => {} }
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    let data: string | undefined
    let rest = ''
    socket.on('error', () => {})
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      rest += chunk.toString()
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (data !== undefined) {
          if (line === '.') {
            state.messages.push(data)
            data = undefined
            state.onMessage().then(() => socket.write('250 queued\r\n'))
          } else data += `${line}\n`
        } else if (/^RCPT/i.test(line)) socket.write(`${state.recipientReply}\r\n`)
        else if (/^DATA/i.test(line)) {
          data = ''
          socket.write('354 go\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

let smtp: SmtpServer
let transport: ReturnType<typeof openMailTransport>
let sendEmail: Job
let pruneEmails: Job
function getJob(jobs: readonly Job[], name: string): Job {
  const job = jobs.find((each) => each.name === name)
  if (!job) throw new Error(`no job ${name}`)
  return job
}

beforeEach(async () => {
  smtp = await startSmtp()
  transport = openMailTransport({ smtpUrl: smtp.url, from: 'Earshot <no-reply@example.com>' })
  const jobs = createMailJobs({ database, transport, log, readOnly: neverReadOnly })
  sendEmail = getJob(jobs, 'send_email')
  pruneEmails = getJob(jobs, 'prune_emails')
})
afterEach(async () => {
  transport.close()
  await smtp.close()
})

async function queue(to = 'someone@example.com'): Promise<string> {
  return database.asSystem('test', (tx) => queueEmail(tx, to, mail))
}
async function readRow(id: string) {
  return (await sql.query('select * from app.emails where id = $1', [id])).rows[0]
}
/** What the mail server answered to each attempt. */
async function readAnswers(id: string): Promise<(string | null)[]> {
  const { rows } = await sql.query('select answer from app.email_attempts where email_id = $1 order by number', [id])
  return rows.map(({ answer }) => answer)
}
/** Runs the email's job as a worker does, which locks it first. */
async function attemptToSend(id: string, job = sendEmail): Promise<void> {
  await sql.query("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'test' where key = $1", [
    `send_email:${id}`,
  ])
  await job.run({ emailId: id })
}

async function secondsToNextAttempt(id: string): Promise<number> {
  const { rows } = await sql.query<{ seconds: number }>(
    'select extract(epoch from run_at - now())::float as seconds from graphile_worker.jobs where key = $1',
    [`send_email:${id}`],
  )
  return rows[0]?.seconds ?? Number.NaN
}

describe('queueEmail', () => {
  it('leaves neither email nor job when its transaction is rolled back', async () => {
    const count = async () =>
      (await sql.query(`select (select count(*) from app.emails) + (select count(*) from graphile_worker.jobs) as n`))
        .rows[0].n
    const before = await count()
    await expect(
      database.asSystem('test', async (tx) => {
        await queueEmail(tx, 'someone@example.com', mail)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await count()).toBe(before)
  })

  it('is open to the auth server’s role', async () => {
    const id = await database.asAuthAdmin('test', (tx) => queueEmail(tx, 'someone@example.com', mail))
    const { rows } = await sql.query(`select key from graphile_worker.jobs where key = $1`, [`send_email:${id}`])
    expect(rows).toHaveLength(1)
    await expect(
      database.asAuthAdmin('test', (tx) => tx.selectFrom('app.emails').selectAll().execute()),
    ).rejects.toThrow(/permission denied/)
  })
})

describe('job send_email', () => {
  it('sends once, and deletes the body', async () => {
    const id = await queue()
    await sendEmail.run({ emailId: id })
    await sendEmail.run({ emailId: id })
    expect(smtp.messages).toHaveLength(1)
    expect(smtp.messages[0]).toMatch(/^To: someone@example\.com$/m)
    expect(smtp.messages[0]).toMatch(/^From: Earshot <no-reply@example\.com>$/m)
    expect(smtp.messages[0]).toContain(`Message-ID: <${id}@example.com>`)
    expect(smtp.messages[0]).toContain('multipart/alternative')
    expect(await readRow(id)).toMatchObject({ html: '', text: '', attempts: 1, failed_at: null, last_error: null })
    expect((await readRow(id)).sent_at).toBeInstanceOf(Date)
  })

  it('keeps the email while the mail server is down, and sends it when it is back', async () => {
    const port = Number(new URL(smtp.url).port)
    await smtp.close()
    const id = await queue()
    await attemptToSend(id)
    expect(await readRow(id)).toMatchObject({ sent_at: null, failed_at: null, attempts: 1, text: 'secret link' })
    expect(await secondsToNextAttempt(id)).toBeCloseTo(2, 0)
    smtp = await startSmtp(port)
    await pause(50)
    await sendEmail.run({ emailId: id })
    expect(smtp.messages).toHaveLength(1)
    expect(await readRow(id)).toMatchObject({ attempts: 2, last_error: null, text: '' })
    expect(await readAnswers(id)).toEqual([expect.stringContaining('mail server away'), null])
  })

  it('holds emails back while the instance is read-only, but for links that sign in and alerts', async () => {
    const mode = { message: null, endsAt: null, since: new Date(), turnedOnBy: 'test' }
    const held = getJob(createMailJobs({ database, transport, log, readOnly: { current: () => mode } }), 'send_email')
    const id = await queue()
    await attemptToSend(id, held)
    expect(smtp.messages).toHaveLength(0)
    expect(await readRow(id)).toMatchObject({ sent_at: null, failed_at: null, attempts: 0, text: 'secret link' })
    expect(await secondsToNextAttempt(id)).toBeCloseTo(60, 0)
    for (const kind of ['magic_link', 'monitoring_alert', 'backup_alert']) {
      const emailId = await database.asSystem('test', (tx) => queueEmail(tx, 'someone@example.com', { ...mail, kind }))
      await held.run({ emailId })
      expect((await readRow(emailId)).sent_at).toBeInstanceOf(Date)
    }
    await sendEmail.run({ emailId: id })
    expect((await readRow(id)).sent_at).toBeInstanceOf(Date)
  })

  it('sends once when the database is away at the moment in which the mail server accepts', async () => {
    const line = await startDatabaseLine(testDatabase.url)
    const shaky = openDatabase({ url: line.url, log, maxConnections: 2 })
    try {
      const job = getJob(createMailJobs({ database: shaky, transport, log, readOnly: neverReadOnly }), 'send_email')
      const id = await queue()
      smtp.onMessage = async () => {
        await line.cut()
        setTimeout(() => line.mend(), 300)
      }
      await job.run({ emailId: id })
      expect((await readRow(id)).sent_at).toBeInstanceOf(Date)
      expect(smtp.messages).toHaveLength(1)
    } finally {
      await shaky.close()
      await line.stop()
    }
  })

  it('gives up an address that is permanently refused, and keeps the body but no address in the reason', async () => {
    smtp.recipientReply = '550 5.1.1 <someone@example.com> no such user'
    const id = await queue()
    await sendEmail.run({ emailId: id })
    const row = await readRow(id)
    expect(row.failed_at).toBeInstanceOf(Date)
    expect(row).toMatchObject({ sent_at: null, text: 'secret link' })
    expect(row.last_error).not.toContain('someone@example.com')
    expect(await readAnswers(id)).toEqual(['550 5.1.1 <[email]> no such user'])
  })

  it('sends nothing to a suppressed address, but security emails where its reader complained', async () => {
    await sql.query(
      `insert into email_suppressions (address, reason) values
       ('gone@example.com', 'hard_bounce'), ('cross@example.com', 'complaint'), ('added@example.com', 'manual')`,
    )
    const send = async (to: string, kind: string) => {
      const id = await database.asSystem('test', (tx) => queueEmail(tx, to, { ...mail, kind }))
      await sendEmail.run({ emailId: id })
      const { sent_at: sentAt, suppressed_at: suppressedAt, attempts } = await readRow(id)
      return [sentAt !== null, suppressedAt !== null, attempts]
    }
    for (const address of ['Gone@Example.com', 'cross@example.com', 'added@example.com']) {
      expect(await send(address, 'notifications')).toEqual([false, true, 0])
    }
    expect(await send('gone@example.com', 'recovery')).toEqual([false, true, 0])
    expect(await send('cross@example.com', 'recovery')).toEqual([true, false, 1])
    expect(await send('added@example.com', 'confirm_sign_up')).toEqual([true, false, 1])
    expect(smtp.messages).toHaveLength(2)
  })

  it('names the address to which answers go, and leaves out an invalid one', async () => {
    const send = async (replyTo: string) => {
      const id = await queue()
      await sql.query('update app.emails set reply_to = $2 where id = $1', [id, replyTo])
      await sendEmail.run({ emailId: id })
      return smtp.messages.at(-1)
    }
    expect(await send('ada@sender.example')).toMatch(/^Reply-To: ada@sender\.example$/m)
    expect(await send('=?utf-8?q?x?=@sender.example')).not.toMatch(/^Reply-To/m)
    const injected = send('a@sender.example\r\nBcc: all@example.com')
    await expect(injected).rejects.toThrow('emails_reply_to_check')
  })

  it('retries when the address is temporarily refused', async () => {
    smtp.recipientReply = '450 4.2.1 try later'
    const id = await queue()
    await attemptToSend(id)
    expect(await readRow(id)).toMatchObject({ failed_at: null, text: 'secret link' })
    expect(await secondsToNextAttempt(id)).toBeCloseTo(60, 0)
  })

  it('waits longer from one attempt to the next, five minutes at most', async () => {
    await smtp.close()
    const id = await queue()
    const waits: number[] = []
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await attemptToSend(id)
      waits.push(Math.round(await secondsToNextAttempt(id)))
    }
    expect(waits).toEqual([2, 5, 10, 20, 30, 60, 120, 300, 300, 300])
  })

  it('pauses after two consecutive failures of the mail server', async () => {
    const url = new URL(smtp.url)
    await smtp.close()
    const send = async () => {
      const error = await transport.send({ id: 'x', to: 'a@example.com', ...mail }).catch((thrown: Error) => thrown)
      return error instanceof MailServerAwayError ? error.message : error
    }
    expect([await send(), await send(), await send()]).toEqual([
      'mail server away: ESOCKET',
      'mail server away: ESOCKET',
      'mail server away',
    ])
    smtp = await startSmtp(Number(url.port))
    expect(await send()).toBe('mail server away')
    await pause(1050)
    expect(await send()).toBeUndefined()
  })

  it('gives up an email after three days', async () => {
    await smtp.close()
    const id = await queue()
    await sql.query("update app.emails set created_at = now() - interval '73 hours' where id = $1", [id])
    await sendEmail.run({ emailId: id })
    expect(await readRow(id)).toMatchObject({ sent_at: null, text: 'secret link', failed_at: expect.any(Date) })
    await sql.query('update app.emails set failed_at = null, retried_at = now() where id = $1', [id])
    await attemptToSend(id)
    expect(await readRow(id), 'a retry has three days of its own').toMatchObject({ failed_at: null, attempts: 2 })
  })

  it('does nothing for a deleted email', async () => {
    await sendEmail.run({ emailId: '01980000-0000-7000-8000-000000000000' })
    expect(smtp.messages).toEqual([])
  })
})

describe('job prune_emails', () => {
  it('deletes the bodies of emails that failed 14 days ago', async () => {
    const fail = async (days: number) => {
      const id = await queue('body@example.com')
      await sql.query('update app.emails set failed_at = now() - make_interval(days => $2) where id = $1', [id, days])
      return id
    }
    const [old, young] = [await fail(15), await fail(13)]
    await pruneEmails.run(undefined)
    expect(await readRow(old)).toMatchObject({ html: '', text: '' })
    expect(await readRow(young)).toMatchObject({ text: 'secret link' })
  })

  it('deletes emails that were sent or given up 30 days ago, and pauses that have ended', async () => {
    const address = (name: string) => `${name}-prune@example.com`
    const make = async (name: string, assignments: string) => {
      const id = await queue(address(name))
      await sql.query(`update app.emails set ${assignments} where id = $1`, [id])
    }
    const long = "now() - interval '31 days'"
    await make('sent-long-ago', `created_at = ${long}, sent_at = ${long}`)
    await make('given-up-long-ago', `created_at = ${long}, failed_at = ${long}`)
    await make('waiting-for-long', `created_at = ${long}`)
    await make('sent-lately', `created_at = ${long}, sent_at = now() - interval '29 days'`)
    await make('new', 'attempts = 0')
    await database.asSystem('test', async (tx) => {
      await beginEmailPause(tx, 'old', address('a'), 60)
      await beginEmailPause(tx, 'young', address('a'), 60)
    })
    await sql.query("update app.email_pauses set asked_at = now() - interval '25 hours' where kind = 'old'")

    const { rows } = await sql.query(
      `insert into app.email_attempts (email_id, number)
       select id, 1 from app.emails where to_address like '%-prune@%' returning email_id`,
    )
    await pruneEmails.run(undefined)
    const kept = await sql.query(
      'select a.email_id in (select id from app.emails) as has_email from app.email_attempts a where a.email_id = any ($1)',
      [rows.map((row) => row.email_id)],
    )
    expect(kept.rows, 'attempts are deleted with their email').toEqual(Array(3).fill({ has_email: true }))
    const mails = await sql.query("select to_address from app.emails where to_address like '%-prune@%' order by 1")
    expect(mails.rows.map((row) => row.to_address)).toEqual(['new', 'sent-lately', 'waiting-for-long'].map(address))
    const pauses = await sql.query('select kind from app.email_pauses')
    expect(pauses.rows).toEqual([{ kind: 'young' }])
  })
})
