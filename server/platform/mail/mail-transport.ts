import { createTransport } from 'nodemailer'
import { isEmailAddress } from './address.ts'

interface OutgoingMail {
  /** Stays the same when one mail is sent again, so that a mailbox can drop the second copy. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** In whose name it is sent, from the instance's own address; null or absent: the instance's own name. */
  readonly senderName?: string | null
  /** Ids of what it continues, oldest first: mailboxes keep the thread by these. */
  readonly refersTo?: readonly string[]
  /** Where the mailbox unsubscribes with one click; null or absent: there is nothing to unsubscribe from. */
  readonly unsubscribeUrl?: string | null
}

/** Hands mails to the mail server. */
export interface MailTransport {
  /**
   * @throws MailRefusedError when trying again can't help, MailServerAwayError when no mail can be sent at all for now,
   *   any other error when this one may go later.
   */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/** The mail server refused the mail for good (a 5xx answer to the address), or the address is none. */
export class MailRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MailRefusedError'
  }
}

/** The mail server can't be reached, or there is none. */
export class MailServerAwayError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MailServerAwayError'
  }
}

const timeoutMs = 15_000
const longestAvoidanceMs = 30_000

/**
 * Opens the way to the mail server; connects at the first mail.
 *
 * @param options.smtpUrl null: there is none, and every attempt fails until one is configured.
 * @param options.from `Name <address>` of the sender.
 */
export function openMailTransport({ smtpUrl, from }: { smtpUrl: string | null; from: string }): MailTransport {
  if (smtpUrl === null) {
    return {
      send: async () => {
        throw new MailServerAwayError('no mail server is configured (SMTP_URL)')
      },
      close: () => {},
    }
  }
  const url = new URL(smtpUrl)
  const isSecure = url.protocol === 'smtps:'
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isSecure ? 465 : 587)),
    secure: isSecure,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A mail is made of the strings it was given: nothing in it may make the library read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // A server that swallows connections costs each mail the whole timeout, and the jobs behind it wait. So once it has
  // failed twice in a row it is left alone, for longer each time, and all mails but the one that finds out fail at once.
  let failures = 0
  let avoidUntilMs = 0
  return {
    async send({ id, to, subject, html, text, senderName, refersTo = [], unsubscribeUrl }) {
      if (!isEmailAddress(to)) throw new MailRefusedError('not an e-mail address')
      if (performance.now() < avoidUntilMs) throw new MailServerAwayError('mail server away')
      try {
        await transport.sendMail({
          from: senderName ? { name: senderName, address: senderAddress(from) } : from,
          // As an object, so that the address is taken as it is and never parsed as a list.
          to: { name: '', address: to },
          envelope: { from: senderAddress(from), to: [to] },
          subject,
          html,
          text,
          messageId: `<${id}@${domain}>`,
          ...(refersTo.length > 0 && {
            references: refersTo.map((each) => `<${each}@${domain}>`),
            inReplyTo: `<${refersTo.at(-1)}@${domain}>`,
          }),
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            // RFC 8058, section 3.1.
            ...(unsubscribeUrl && {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
        failures = 0
      } catch (error) {
        if (isAway(error)) {
          failures += 1
          if (failures > 1) avoidUntilMs = performance.now() + Math.min(1000 * 2 ** (failures - 2), longestAvoidanceMs)
          throw new MailServerAwayError(`mail server away: ${(error as { code?: string }).code ?? ''}`, {
            cause: error,
          })
        }
        failures = 0
        if (isRefusal(error)) throw new MailRefusedError(`refused with ${error.responseCode}`, { cause: error })
        throw error
      }
    },
    close: () => transport.close(),
  }
}

function senderAddress(from: string): string {
  return /<([^>]+)>/.exec(from)?.[1] ?? from
}

// Only an answer about this recipient is final: a refused login or sender is the operator's to mend.
function isRefusal(error: unknown): error is { responseCode: number } {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  return (
    code === 'EENVELOPE' &&
    command === 'RCPT TO' &&
    responseCode !== undefined &&
    responseCode >= 550 &&
    responseCode <= 553
  )
}

// Without an answer there was no conversation: the name, the way or the server itself is at fault.
function isAway(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return responseCode === undefined && code !== undefined && awayCodes.has(code)
}

const awayCodes = new Set([
  'ECONNECTION',
  'ECONNREFUSED',
  'ECONNRESET',
  'EDNS',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ESOCKET',
  'ETIMEDOUT',
])
