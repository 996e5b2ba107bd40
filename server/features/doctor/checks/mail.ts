import dns from 'node:dns/promises'
import { checkMailServer } from '#server/platform/mail/check-mail-server.ts'
import { hasErrorCode, readErrorCode, readErrorMessage } from '#server/platform/read-error.ts'
import { listUnusableWords } from '../../mail/mail.service.ts'
import { type Check, failed, isGenerated, notApplicable, ok, warning } from '../check.ts'
import { readOutbox } from '../operation.queries.ts'

const unusableDomain =
  /^(localhost|.*\.(localhost|local|test|invalid|example|internal)|(.*\.)?example\.(com|org|net)|[\d.]+)$/

export const mailChecks: readonly Check[] = [
  {
    id: 'mail-configured',
    area: 'Emails',
    title: 'Mail server',
    remedy: 'Set SMTP_URL to your mail server. See the guide “SMTP”.',
    run: ({ config }) => {
      if (config.smtpUrl !== null && !isGenerated(config, 'SMTP_URL')) return ok('SMTP_URL is set.')
      if (!config.production) return notApplicable('Development catches all emails.')
      return failed('SMTP_URL is not set: no one can confirm an address, and no email is sent.')
    },
  },
  {
    id: 'mail-server',
    area: 'Emails',
    title: 'Connection to the mail server',
    remedy: 'Check host, port, user and password in SMTP_URL. Many hosts block port 25: use 587 or 465.',
    run: async ({ config: { smtpUrl } }) => {
      if (smtpUrl === null) return notApplicable('There is no mail server.')
      const { host } = new URL(smtpUrl)
      try {
        await checkMailServer(smtpUrl)
        return ok(`${host} accepts the connection and the login.`)
      } catch (error) {
        return failed(`${host} can’t be used: ${readErrorCode(error) ?? readErrorMessage(error)}.`)
      }
    },
  },
  {
    id: 'mail-from',
    area: 'Emails',
    title: 'Sender of emails',
    remedy: 'Set MAIL_FROM to an address of a domain that you own, with SPF and DKIM for your mail server.',
    run: async ({ config }) => {
      const domain = /@([^>\s]+)/.exec(config.mailFrom)?.[1]?.toLowerCase()
      if (domain === undefined) return failed('MAIL_FROM contains no address.')
      if (unusableDomain.test(domain)) {
        if (!config.production) return notApplicable('Development catches all emails.')
        return failed(`No mail server accepts emails from ${domain}.`)
      }
      const problem = await lookUp(domain)
      return problem === undefined ? ok(`Emails come from ${domain}, which exists.`) : warning(problem)
    },
  },
  {
    id: 'mail-outbox',
    area: 'Emails',
    title: 'Outbox',
    remedy: 'Check the connection to the mail server, and that a worker runs.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { waiting, oldestMinutes, lastError } = await readOutbox(database)
      if (waiting === 0) return ok('No email waits.')
      const why = lastError === null ? '' : ` Last error: ${lastError}.`
      const sentence = `${waiting} emails wait, the oldest for ${oldestMinutes} minutes.${why}`
      if (oldestMinutes > 120) return failed(sentence)
      return oldestMinutes > 15 ? warning(sentence) : ok(sentence)
    },
  },
  {
    id: 'mail-failed',
    area: 'Emails',
    title: 'Failed emails',
    remedy: 'Read the mail server’s answers in email monitoring.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { failed: count } = await readOutbox(database)
      if (count === 0) return ok('No email was given up in the last 24 hours.')
      return warning(`${count} ${count === 1 ? 'email was' : 'emails were'} given up in the last 24 hours.`)
    },
  },
  {
    id: 'mail-templates',
    area: 'Emails',
    title: 'Email templates',
    remedy: 'Open the template in Superadmin → Email templates, correct what is marked, and save it.',
    needsDatabase: true,
    run: async ({ database }) => {
      const titles = await listUnusableWords(database)
      if (titles.length === 0) return ok('All emails use their words.')
      return warning(`Changed words can’t be used, so that the default is sent: ${titles.join(', ')}.`)
    },
  },
]

/** @returns what is wrong with a domain; undefined: it has a mail server or an address. */
async function lookUp(domain: string): Promise<string | undefined> {
  let problem: string | undefined
  for (const kind of ['MX', 'A', 'AAAA']) {
    try {
      const found = await dns.resolve(domain, kind)
      if (Array.isArray(found) && found.length > 0) return undefined
    } catch (error) {
      const isKnown = hasErrorCode(error, 'ENOTFOUND') || hasErrorCode(error, 'ENODATA')
      problem ??= isKnown
        ? `The domain ${domain} of MAIL_FROM has no entry in the DNS.`
        : `The domain ${domain} of MAIL_FROM could not be looked up: ${readErrorCode(error) ?? ''}.`
    }
  }
  return problem ?? `The domain ${domain} of MAIL_FROM has no mail server.`
}
