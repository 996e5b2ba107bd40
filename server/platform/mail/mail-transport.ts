import { createTransport } from 'nodemailer'
import { readErrorCode } from '../read-error.ts'
import { isEmailAddress } from './address.ts'

interface OutgoingMail {
  /** The same for each attempt of one email, so that a mailbox can drop duplicates. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** The sender's name, with the instance's own address; null or absent: the instance's name. */
  readonly senderName?: string | null
  /** Message ids of the thread, oldest first, by which mailboxes group it. */
  readonly refersTo?: readonly string[]
  /** URL for one-click unsubscribe; null or absent: none. */
  readonly unsubscribeUrl?: string | null
  /** Where answers go; null or absent: to the sender. An invalid address is left out. */
  readonly replyTo?: string | null
}

/** Hands emails to the mail server. */
export interface MailTransport {
  /**
   * @throws MailRefusedError when retrying can't help, MailServerAwayError when no email can be sent for now, any other
   * error when this email may be sent later.
   */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/** The mail server permanently refused the email (a 5xx reply to the address), or the address is invalid. */
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
 * Creates the transport; connects at the first email.
 *
 * @param options.smtpUrl null: every attempt fails until a server is configured.
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
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  const transport = createTransport({
    ...toSmtpOptions(smtpUrl),
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // An email consists of the given strings only: no content may make the library read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // A server that hangs costs each email the whole timeout, and delays the jobs behind it. So after two consecutive
  // failures there is a pause, longer each time, in which all emails but one probe fail immediately.
  let failures = 0
  let avoidUntilMs = 0
  return {
    async send({ id, to, subject, html, text, senderName, refersTo = [], unsubscribeUrl, replyTo }) {
      if (!isEmailAddress(to)) throw new MailRefusedError('not an email address')
      if (performance.now() < avoidUntilMs) throw new MailServerAwayError('mail server away')
      try {
        await transport.sendMail({
          from: senderName ? { name: senderName, address: senderAddress(from) } : from,
          // As an object, so that the address is used unchanged and never parsed as a list.
          to: { name: '', address: to },
          envelope: { from: senderAddress(from), to: [to] },
          ...(replyTo && isEmailAddress(replyTo) && { replyTo: { name: '', address: replyTo } }),
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
          throw new MailServerAwayError(`mail server away: ${readErrorCode(error) ?? ''}`, {
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

/** Host, port and login of the mail server, as the library takes them. */
export function toSmtpOptions(smtpUrl: string) {
  const url = new URL(smtpUrl)
  const isSecure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isSecure ? 465 : 587)),
    secure: isSecure,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  }
}

function senderAddress(from: string): string {
  return /<([^>]+)>/.exec(from)?.[1] ?? from
}

// Only a refusal of this recipient is final: the operator can fix a refused login or sender.
function isRefusal(error: unknown): error is { responseCode: number } {
  // Nodemailer's errors have these fields; others give undefined.
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  return (
    code === 'EENVELOPE' &&
    command === 'RCPT TO' &&
    responseCode !== undefined &&
    responseCode >= 550 &&
    responseCode <= 553
  )
}

// Without a reply, the failure is in DNS, the network or the server.
function isAway(error: unknown): boolean {
  // Nodemailer's errors have these fields; others give undefined.
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
