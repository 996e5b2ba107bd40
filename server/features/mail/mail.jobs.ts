import Type from 'typebox'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { repeatWhileAway } from '#server/platform/database/repeat-while-away.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { Log } from '#server/platform/log/log.ts'
import { MailRefusedError, MailServerAwayError, type MailTransport } from '#server/platform/mail/mail-transport.ts'
import type { ReadOnly } from '#server/platform/read-only/read-only.ts'
import { scrubText } from '#server/platform/scrub/scrub-text.ts'
import { deleteOldEmails, deleteOldPauses, emptyOldBodies } from './mail.queries.ts'
import * as queries from './sending.queries.ts'

export interface MailParts {
  readonly database: Database
  readonly transport: MailTransport
  readonly log: Log
  readonly readOnly: Pick<ReadOnly, 'current'>
}

const outboxReason = 'the outbox spans organisations'

// Seconds until the next attempt, after the first, the second … Retries cost an unreachable server nothing, so a short
// outage delays emails by seconds. A server that answers "later" expects a wait of minutes.
const retrySecondsWhileAway = [2, 5, 10, 20, 30, 60, 120, 300]
const retrySecondsWhenDeferred = [60, 300, 900, 3600, 14_400]
// By then its link has expired, and its reader has requested another.
const giveUpAfterMs = 3 * 24 * 60 * 60_000
const keptDays = 30
/** Of failed emails, so that they can be sent again. */
const bodyKeptDays = 14
/** About the security of an account: without them, someone who once reported an email as spam could not sign in. */
const securityKinds = [
  'confirm_sign_up',
  'recovery',
  'magic_link',
  'email_change_new',
  'email_change_current',
  'reauthentication',
  'password_changed',
  'email_changed',
]
/**
 * Sent while the instance is read-only: the link that signs in, and what its superadmins must hear. All others wait, because
 * what they announce or ask for can't be done yet.
 */
const evenReadOnlyKinds = ['magic_link', 'monitoring_alert', 'backup_alert']
const heldSeconds = 60
const maxAnswerLength = 500
/** The mail server has taken the email: recording that is worth a wait, since another process would send it again. */
const recordForMs = 10_000

/** The jobs of this feature. */
export function createMailJobs({ database, transport, log, readOnly }: MailParts): Job[] {
  const inOutbox = <T>(fn: (tx: SystemTx) => Promise<T>) => database.asSystem(outboxReason, fn)

  /** Emails that the mail server has taken and that are not recorded as sent: this process sends none of them again. */
  const taken = new Set<string>()

  const send = async ({ emailId }: { emailId: string }) => {
    if (
      readOnly.current() &&
      (await inOutbox((tx) => queries.holdSending(tx, emailId, evenReadOnlyKinds, heldSeconds)))
    )
      return
    const email = await inOutbox(async (tx) =>
      (await queries.suppressSending(tx, emailId, securityKinds)) ? undefined : queries.beginSending(tx, emailId),
    )
    // Suppressed, or already sent by an attempt that died between the mail server's acceptance and recording it.
    if (!email) return
    try {
      const { id, to_address: to, subject, html, text, sender_name: senderName, refers_to: refersTo } = email
      const { unsubscribe_url: unsubscribeUrl, reply_to: replyTo } = email
      const content = { subject, html, text, senderName, refersTo, unsubscribeUrl, replyTo }
      if (!taken.has(id)) await transport.send({ id, to, ...content })
    } catch (error) {
      const reason = describeFailure(error)
      const attempt = { id: emailId, number: email.attempts, answer: describeAnswer(error) ?? reason }
      const since = (email.retried_at ?? email.created_at).getTime()
      if (error instanceof MailRefusedError || Date.now() - since > giveUpAfterMs) {
        await inOutbox(async (tx) => {
          await queries.markGivenUp(tx, emailId, reason)
          await queries.recordAttempt(tx, attempt)
        })
        log.warn({ emailId, reason }, 'email given up')
        return
      }
      const seconds = chooseRetrySeconds(error, email.attempts)
      await inOutbox(async (tx) => {
        await queries.postponeSending(tx, { id: emailId, reason, seconds })
        await queries.recordAttempt(tx, attempt)
      })
      // An outage is logged as a warning once per email.
      const level = email.attempts === 1 ? 'warn' : 'info'
      log[level]({ emailId, reason, attempt: email.attempts, retryInSeconds: seconds }, 'email not sent yet')
      return
    }
    taken.add(emailId)
    await repeatWhileAway(
      () =>
        inOutbox(async (tx) => {
          await queries.markSent(tx, emailId)
          await queries.recordAttempt(tx, { id: emailId, number: email.attempts, answer: null })
        }),
      recordForMs,
    )
    taken.delete(emailId)
  }
  const sendEmail = defineJob('send_email', Type.Object({ emailId: Type.String() }), send, {
    evenReadOnly: 'people sign in by email; it holds all other emails back',
  })

  const pruneEmails = defineCron('prune_emails', { at: '20 3 * * *', catchUpHours: 24 }, async () => {
    await deleteInBatches((limit) => inOutbox((tx) => emptyOldBodies(tx, { days: bodyKeptDays, limit })))
    await deleteInBatches((limit) => inOutbox((tx) => deleteOldEmails(tx, { days: keptDays, limit })))
    await deleteInBatches((limit) => inOutbox((tx) => deleteOldPauses(tx, limit)))
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

/** The mail server's answer without addresses and secrets; undefined: there was none. */
function describeAnswer(error: unknown): string | undefined {
  // A refusal wraps Nodemailer's error, whose `response` is the server's last line.
  const { cause, response } = error as { cause?: { response?: unknown }; response?: unknown }
  const answer = response ?? cause?.response
  return typeof answer === 'string' ? scrubText(answer).slice(0, maxAnswerLength) : undefined
}
