import Type from 'typebox'
import type { Database } from '#server/platform/database/database.ts'
import { defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { Log } from '#server/platform/log/log.ts'
import { MailRefusedError, type MailTransport } from '#server/platform/mail/mail-transport.ts'
import * as queries from './mail.queries.ts'

export interface MailParts {
  readonly database: Database
  readonly transport: MailTransport
  readonly log: Log
}

/** The jobs of this feature. */
export function createMailJobs({ database, transport, log }: MailParts): Job[] {
  const sendEmail = defineJob('send_email', Type.Object({ emailId: Type.String() }), async ({ emailId }) => {
    const email = await database.asSystem('the outbox spans organisations', (tx) => queries.beginSending(tx, emailId))
    // Sent before, by an attempt that died between the mail server's yes and its own note of it being written.
    if (!email) return
    try {
      const { id, to_address: to, subject, html, text } = email
      await transport.send({ id, to, subject, html, text })
    } catch (error) {
      const reason = describeFailure(error)
      const isFinal = error instanceof MailRefusedError
      await database.asSystem('the outbox spans organisations', (tx) =>
        isFinal ? queries.markGivenUp(tx, emailId, reason) : queries.markFailed(tx, emailId, reason),
      )
      if (!isFinal) throw new Error(`mail not sent yet: ${reason}`)
      log.warn({ emailId, reason }, 'mail given up')
      return
    }
    await database.asSystem('the outbox spans organisations', async (tx) => {
      await queries.markSent(tx, emailId)
      await queries.deleteOldPauses(tx)
    })
  })
  return [sendEmail as Job]
}

// Mail servers repeat addresses in their answers, and these lines are kept: code and command say enough.
function describeFailure(error: unknown): string {
  const { code, responseCode, command, message } = error as {
    code?: string
    responseCode?: number
    command?: string
    message?: string
  }
  const facts = [code, responseCode, command].filter((fact) => fact !== undefined)
  return facts.length > 0 ? facts.join(' ') : (message ?? 'unknown failure').slice(0, 200)
}
