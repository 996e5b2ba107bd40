import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import type { Job } from '#server/platform/jobs/job.ts'
import { createLog } from '#server/platform/log/log.ts'
import { openMailTransport } from '#server/platform/mail/mail-transport.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { createMailJobs } from './mail.jobs.ts'
import { queueEmail } from './mail.service.ts'

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

/** A mail server that speaks just enough SMTP, and answers recipients as it is told. */
interface SmtpServer {
  readonly url: string
  readonly messages: string[]
  recipientReply: string
  close(): Promise<void>
}

async function startSmtp(port = 0): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const state = { messages: [] as string[], recipientReply: '250 ok' }
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
            socket.write('250 queued\r\n')
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
beforeEach(async () => {
  smtp = await startSmtp()
  transport = openMailTransport({ smtpUrl: smtp.url, from: 'Earshot <no-reply@example.com>' })
  const [job] = createMailJobs({ database, transport, log })
  if (!job) throw new Error('no job')
  sendEmail = job
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

describe('queueEmail', () => {
  it('leaves neither mail nor job when its transaction is rolled back', async () => {
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
  it('sends once, and forgets the body', async () => {
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

  it('keeps the mail while the mail server is down, and sends it when it is back', async () => {
    const port = Number(new URL(smtp.url).port)
    await smtp.close()
    const id = await queue()
    await expect(sendEmail.run({ emailId: id })).rejects.toThrow(/not sent yet/)
    expect(await readRow(id)).toMatchObject({ sent_at: null, failed_at: null, attempts: 1, text: 'secret link' })
    smtp = await startSmtp(port)
    await pause(50)
    await sendEmail.run({ emailId: id })
    expect(smtp.messages).toHaveLength(1)
    expect(await readRow(id)).toMatchObject({ attempts: 2, last_error: null, text: '' })
  })

  it('gives up an address that is refused for good, and keeps no address in the reason', async () => {
    smtp.recipientReply = '550 5.1.1 <someone@example.com> no such user'
    const id = await queue()
    await sendEmail.run({ emailId: id })
    const row = await readRow(id)
    expect(row.failed_at).toBeInstanceOf(Date)
    expect(row).toMatchObject({ sent_at: null, html: '', text: '' })
    expect(row.last_error).not.toContain('someone@example.com')
  })

  it('tries again when the address is refused for now', async () => {
    smtp.recipientReply = '450 4.2.1 try later'
    const id = await queue()
    await expect(sendEmail.run({ emailId: id })).rejects.toThrow(/not sent yet/)
    expect(await readRow(id)).toMatchObject({ failed_at: null, text: 'secret link' })
  })

  it('does nothing for a mail that is gone', async () => {
    await sendEmail.run({ emailId: '01980000-0000-7000-8000-000000000000' })
    expect(smtp.messages).toEqual([])
  })
})
