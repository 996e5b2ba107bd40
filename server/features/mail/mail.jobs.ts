import Type from 'typebox'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { repeatWhileAway } from '#server/platform/database/repeat-while-away.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { Log } from '#server/platform/log/log.ts'
import { MailRefusedError, MailServerAwayError, type MailTransport } from '#server/platform/mail/mail-transport.ts'
import * as queries from './mail.queries.ts'

export interface MailParts {
  readonly database: Database
  readonly transport: MailTransport
  readonly log: Log
}

const outboxReason = 'the outbox spans organisations'

// Seconds until the next attempt, after the first, the second … Retries cost an unreachable server nothing, so a short
// outage delays emails by seconds. A server that answers "later" expects a wait of minutes.
const retrySecondsWhileAway = [2, 5, 10, 20, 30, 60, 120, 300]
const retrySecondsWhenDeferred = [60, 300, 900, 3600, 14_400]
// By then its link has expired, and its reader has requested another.
const giveUpAfterMs = 3 * 24 * 60 * 60_000
const keptDays = 30
/** The mail server has taken the email: recording that is worth a wait, since another process would send it again. */
const recordForMs = 10_000

/** The jobs of this feature. */
export function createMailJobs({ database, transport, log }: MailParts): Job[] {
  const inOutbox = <T>(fn: (tx: SystemTx) => Promise<T>) => database.asSystem(outboxReason, fn)

  /** Emails that the mail server has taken and that are not recorded as sent: this process sends none of them again. */
  const taken = new Set<string>()

  const sendEmail = defineJob('send_email', Type.Object({ emailId: Type.String() }), async ({ emailId }) => {
    const email = await inOutbox((tx) => queries.beginSending(tx, emailId))
    // Already sent by an attempt that died between the mail server's acceptance and recording it.
    if (!email) return
    try {
      const { id, to_address: to, subject, html, text, sender_name: senderName, refers_to: refersTo } = email
      const unsubscribeUrl = email.unsubscribe_url
      if (!taken.has(id)) await transport.send({ id, to, subject, html, text, senderName, refersTo, unsubscribeUrl })
    } catch (error) {
      const reason = describeFailure(error)
      if (error instanceof MailRefusedError || Date.now() - email.created_at.getTime() > giveUpAfterMs) {
        await inOutbox((tx) => queries.markGivenUp(tx, emailId, reason))
        log.warn({ emailId, reason }, 'email given up')
        return
      }
      const seconds = chooseRetrySeconds(error, email.attempts)
      await inOutbox((tx) => queries.postponeSending(tx, { id: emailId, reason, seconds }))
      // An outage is logged as a warning once per email.
      const level = email.attempts === 1 ? 'warn' : 'info'
      log[level]({ emailId, reason, attempt: email.attempts, retryInSeconds: seconds }, 'email not sent yet')
      return
    }
    taken.add(emailId)
    await repeatWhileAway(() => inOutbox((tx) => queries.markSent(tx, emailId)), recordForMs)
    taken.delete(emailId)
  })

  const pruneEmails = defineCron('prune_emails', { at: '20 3 * * *', catchUpHours: 24 }, async () => {
    await deleteInBatches((limit) => inOutbox((tx) => queries.deleteOldEmails(tx, { days: keptDays, limit })))
    await deleteInBatches((limit) => inOutbox((tx) => queries.deleteOldPauses(tx, limit)))
  })

  return [sendEmail, pruneEmails]
}

function chooseRetrySeconds(error: unknown, attempts: number): number {
  const steps = error instanceof MailServerAwayError ? retrySecondsWhileAway : retrySecondsWhenDeferred
  return steps[Math.min(attempts, steps.length) - 1] ?? 60
}

// Mail servers repeat addresses in their replies, and these lines are stored: code and command are enough.
function describeFailure(error: unknown): string {
  // Nodemailer's errors have these fields; others give undefined.
  const { code, responseCode, command, message } = error as {
    code?: string
    responseCode?: number
    command?: string
    message?: string
  }
  const facts = [code, responseCode, command].filter((fact) => fact !== undefined)
  return facts.length > 0 ? facts.join(' ') : (message ?? 'unknown failure').slice(0, 200)
}
