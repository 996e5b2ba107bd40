import { type RenderedMail, renderMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'

/** An item as a mail names it. */
interface MailedItem {
  readonly id: string
  readonly number: number
  readonly projectName: string
  /** What the visitor wrote; null: mails don't repeat it. */
  readonly message: string | null
}

/** What concerns one member. */
export interface NoticeMail extends MailedItem {
  readonly kind: 'assigned' | 'mentioned' | 'visitor_replied'
  /** Null: a visitor, or somebody whose account is gone. */
  readonly actorName: string | null
  readonly itemCount: number
}

interface Frame {
  readonly appUrl: string
  readonly unsubscribeUrl: string
  readonly organizationName: string
}

const maxQuoteLength = 300
const maxNotices = 20

/** A mail about what concerns one member: one thing, or several that came together. */
export function renderNotices(notices: readonly NoticeMail[], frame: Frame): RenderedMail {
  const [first, ...others] = notices
  if (!first) throw new Error('a mail about nothing')
  const isSingle = others.length === 0
  const title = isSingle ? describeNotice(first) : `${notices.length} things wait for you`
  return renderMail({
    kind: 'notices',
    subject: isSingle ? `${quoteName(first.projectName)}: ${title}` : `${quoteName(frame.organizationName)}: ${title}`,
    preview: isSingle ? (quote(first) ?? quoteName(first.projectName)) : describeNotice(first),
    title,
    paragraphs: isSingle ? [`In ${quoteName(first.projectName)}:`] : [],
    strong: isSingle ? [quoteName(first.projectName)] : [],
    items: notices
      .slice(0, maxNotices)
      .map((notice) => toItem(notice, frame.appUrl, isSingle ? undefined : describeNotice(notice))),
    action: isSingle
      ? { label: 'Open the item', url: itemUrl(frame.appUrl, first.id) }
      : { label: 'Open the inbox', url: `${frame.appUrl}/dashboard/feedback` },
    notes: makeNotes(frame, 'This mail came because it concerns you.'),
    appUrl: frame.appUrl,
  })
}

/** A mail about new feedback, project by project: of an hour, a day, or just now. */
export function renderNewFeedback(
  projects: readonly { projectId: string; projectName: string; count: number; items: readonly MailedItem[] }[],
  mode: 'instant' | 'hourly' | 'daily',
  frame: Frame,
): RenderedMail {
  const count = projects.reduce((sum, project) => sum + project.count, 0)
  const [first] = projects
  if (!first) throw new Error('a mail about nothing')
  const where = quoteName(projects.length === 1 ? first.projectName : frame.organizationName)
  const items = count === 1 ? '1 new item' : `${count} new items`
  const [only] = first.items
  const link = new URL('/dashboard/feedback', frame.appUrl)
  if (projects.length === 1) link.searchParams.set('project', first.projectId)
  const shown = projects.flatMap((project) => project.items)
  return renderMail({
    kind: 'new_feedback',
    subject: `${where}: ${items} of feedback`,
    preview: (only && quote(only)) ?? `In ${where}`,
    title: `${items} in ${where}`,
    paragraphs:
      count > shown.length || projects.length > 1
        ? projects.map(({ projectName, count: own }) => `${quoteName(projectName)}: ${own} new`)
        : [],
    strong: projects.map(({ projectName }) => quoteName(projectName)),
    items: shown.slice(0, maxNotices).map((item) => toItem(item, frame.appUrl)),
    action:
      count === 1 && only
        ? { label: 'Open the item', url: itemUrl(frame.appUrl, only.id) }
        : { label: 'Open the inbox', url: link.href },
    notes: makeNotes(frame, reasons[mode]),
    appUrl: frame.appUrl,
  })
}

const reasons = {
  instant: 'You asked for a mail as soon as feedback comes. Much that comes together goes as one mail.',
  hourly: 'You asked for a mail with new feedback every hour. Where there is none, there is no mail.',
  daily: 'New feedback nobody has opened yet, once a day. Where there is none, there is no mail.',
}

function makeNotes({ appUrl, unsubscribeUrl }: Frame, why: string): string[] {
  return [
    why,
    `Choose what you are told: ${appUrl}/dashboard/settings/notifications`,
    `Unsubscribe from these mails: ${unsubscribeUrl}`,
  ]
}

function describeNotice({ kind, actorName, itemCount, number }: NoticeMail): string {
  const who = actorName === null ? 'Somebody' : quoteName(actorName)
  const what = itemCount > 1 ? `${itemCount} items` : `#${number}`
  if (kind === 'assigned') return `${who} assigned ${what} to you`
  if (kind === 'mentioned') return `${who} mentioned you in #${number}`
  return `The visitor answered in #${number}`
}

function toItem(item: MailedItem, appUrl: string, title = `#${item.number} · ${quoteName(item.projectName)}`) {
  const text = quote(item)
  return { title, url: itemUrl(appUrl, item.id), ...(text !== undefined && { text }) }
}

// The visitor's words, unless they are kept out of mails. They can't carry a link: anybody may have written them.
function quote({ message }: MailedItem): string | undefined {
  if (message === null || message.trim() === '') return undefined
  const characters = [...message.trim()]
  const short = characters.length > maxQuoteLength ? `${characters.slice(0, maxQuoteLength).join('')}…` : message.trim()
  return breakLinks(short)
}

function itemUrl(appUrl: string, id: string): string {
  return `${appUrl}/dashboard/feedback?item=${id}`
}
