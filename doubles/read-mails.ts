import { setTimeout as sleep } from 'node:timers/promises'

/** An email as its recipient sees it. */
type Mail = {
  id: string
  from: string
  to: string[]
  subject: string
  text: string
  html: string
  /** Every URL that the HTML part links to, in order. */
  links: string[]
  receivedAt: Date
}

export type MailReader = {
  /** All caught emails, oldest first. */
  listMails(to?: string): Promise<Mail[]>
  /**
   * Waits for an email to an address.
   *
   * @param wanted `subject`: part or pattern of it; `after`: an earlier email; only later ones match
   * @returns the newest match
   * @throws Error after `timeoutMs`, listing the emails that arrived
   */
  waitForMail(to: string, wanted?: { subject?: string | RegExp; after?: Mail; timeoutMs?: number }): Promise<Mail>
  /** Deletes all caught emails. */
  clearMails(): Promise<void>
}

type StoredMail = {
  id: string
  from?: { address: string }[]
  envelope: { to: { address: string }[] }
  subject?: string
  text?: string
  html?: string
  time: string
}

const pollMs = 50

/** Reads a running mail catcher over its web interface, from any process. */
export function readMails(webUrl: string): MailReader {
  const listMails = async (to?: string) => {
    // Filtered by recipient, because late in a run there are hundreds of emails.
    const query = to === undefined ? '' : `?${new URLSearchParams({ 'envelope.to.address': to.toLowerCase() })}`
    const response = await fetch(`${webUrl}/email${query}`)
    // maildev's answer to a list of emails.
    return ((await response.json()) as StoredMail[]).map(readMail)
  }
  return {
    listMails,
    async waitForMail(to, { subject, after, timeoutMs = 10_000 } = {}) {
      const fits = (mail: Mail) =>
        subject === undefined ||
        (typeof subject === 'string' ? mail.subject.includes(subject) : subject.test(mail.subject))
      for (const until = Date.now() + timeoutMs; ; await sleep(pollMs)) {
        const mails = await listMails(to)
        const mail = mails.slice(mails.findIndex(({ id }) => id === after?.id) + 1).findLast(fits)
        if (mail) return mail
        if (Date.now() > until) break
      }
      const others = (await listMails()).map((mail) => `“${mail.subject}” to ${mail.to.join(', ')}`)
      const what = subject === undefined ? 'email' : `email with subject ${subject}`
      throw new Error(
        `No ${what} to ${to} within ${timeoutMs} ms. Arrived: ${others.length === 0 ? 'nothing' : others.join('; ')}`,
      )
    },
    async clearMails() {
      await fetch(`${webUrl}/email/all`, { method: 'DELETE' })
    },
  }
}

function readMail(mail: StoredMail): Mail {
  const html = mail.html ?? ''
  const links = [...html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"/gi)].map(([, href]) =>
    (href ?? '').replaceAll('&amp;', '&'),
  )
  return {
    id: mail.id,
    from: mail.from?.[0]?.address ?? '',
    to: mail.envelope.to.map(({ address }) => address.toLowerCase()),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html,
    links,
    receivedAt: new Date(mail.time),
  }
}
