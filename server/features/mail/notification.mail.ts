import { type RenderedMail, renderMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'

/** An item as an email shows it. */
interface MailedItem {
  readonly id: string
  readonly number: number
  readonly projectName: string
  /** The visitor's message; null: emails don't quote it. */
  readonly message: string | null
}

/** What concerns one member. */
export interface NotificationMail extends MailedItem {
  readonly kind: 'assigned' | 'mentioned' | 'visitor_replied'
  /** Null: a visitor, or a deleted account. */
  readonly actorName: string | null
  readonly itemCount: number
}

/** What surrounds an email to a member. */
export interface Frame {
  readonly appUrl: string
  readonly unsubscribeUrl: string
  readonly organizationName: string
}

const maxQuoteLength = 300
const maxNotifications = 20

/** An email with one member's notifications: one, or several that arrived together. */
export function renderNotifications(notifications: readonly NotificationMail[], frame: Frame): RenderedMail {
  const [first, ...others] = notifications
  if (!first) throw new Error('an email without content')
  const isSingle = others.length === 0
  const title = isSingle ? describeNotification(first) : `${notifications.length} new notifications`
  return renderMail({
    kind: 'notifications',
    subject: isSingle ? `${quoteName(first.projectName)}: ${title}` : `${quoteName(frame.organizationName)}: ${title}`,
    preview: isSingle ? (quote(first) ?? quoteName(first.projectName)) : describeNotification(first),
    title,
    paragraphs: isSingle ? [`In ${quoteName(first.projectName)}:`] : [],
    strong: isSingle ? [quoteName(first.projectName)] : [],
    items: notifications
      .slice(0, maxNotifications)
      .map((notification) =>
        toItem(notification, frame.appUrl, isSingle ? undefined : describeNotification(notification)),
      ),
    action: isSingle
      ? { label: 'Open the item', url: itemUrl(frame.appUrl, first.id) }
      : { label: 'Open the inbox', url: `${frame.appUrl}/dashboard/feedback` },
    notes: makeNotes(frame, 'You get this email because it concerns you.'),
    appUrl: frame.appUrl,
  })
}

/** An email about new feedback by project: of an hour, a day, or just now. */
export function renderNewFeedback(
  projects: readonly { projectId: string; projectName: string; count: number; items: readonly MailedItem[] }[],
  mode: 'instant' | 'hourly' | 'daily',
  frame: Frame,
): RenderedMail {
  const count = projects.reduce((sum, project) => sum + project.count, 0)
  const [first] = projects
  if (!first) throw new Error('an email without content')
  const where = quoteName(projects.length === 1 ? first.projectName : frame.organizationName)
  const items = count === 1 ? '1 new item' : `${count} new items`
  const [only] = first.items
  const link = new URL(`${frame.appUrl}/dashboard/feedback`)
  if (projects.length === 1) link.searchParams.set('project', first.projectId)
  const shown = projects.flatMap((project) => project.items)
  return renderMail({
    kind: 'new_feedback',
    subject: `${where}: ${items}`,
    preview: (only && quote(only)) ?? `In ${where}`,
    title: `${items} in ${where}`,
    paragraphs:
      count > shown.length || projects.length > 1
        ? projects.map(({ projectName, count: own }) => `${quoteName(projectName)}: ${own} new`)
        : [],
    strong: projects.map(({ projectName }) => quoteName(projectName)),
    items: shown.slice(0, maxNotifications).map((item) => toItem(item, frame.appUrl)),
    action:
      count === 1 && only
        ? { label: 'Open the item', url: itemUrl(frame.appUrl, only.id) }
        : { label: 'Open the inbox', url: link.href },
    notes: makeNotes(frame, reasons[mode]),
    appUrl: frame.appUrl,
  })
}

const reasons = {
  instant: 'You get emails about new feedback instantly. Items that arrive together are grouped.',
  hourly: 'You get emails about new feedback every hour, if there is any.',
  daily: 'You get emails about unopened feedback once a day, if there is any.',
}

/** The small print of an email to a member: why it came, and how to stop such emails. */
export function makeNotes({ appUrl, unsubscribeUrl }: Frame, why: string): string[] {
  return [
    why,
    `Notification settings: ${appUrl}/dashboard/settings/notifications`,
    `Unsubscribe from these emails: ${unsubscribeUrl}`,
  ]
}

function describeNotification({ kind, actorName, itemCount, number }: NotificationMail): string {
  const who = actorName === null ? 'Someone' : quoteName(actorName)
  const what = itemCount > 1 ? `${itemCount} items` : `#${number}`
  if (kind === 'assigned') return `${who} assigned ${what} to you`
  if (kind === 'mentioned') return `${who} mentioned you in #${number}`
  return `The visitor replied in #${number}`
}

function toItem(item: MailedItem, appUrl: string, title = `#${item.number} · ${quoteName(item.projectName)}`) {
  const text = quote(item)
  return { title, url: itemUrl(appUrl, item.id), ...(text !== undefined && { text }) }
}

// The visitor's message, unless emails exclude it. It can't carry a link: anyone may have written it.
function quote({ message }: MailedItem): string | undefined {
  if (message === null || message.trim() === '') return undefined
  const characters = [...message.trim()]
  const short = characters.length > maxQuoteLength ? `${characters.slice(0, maxQuoteLength).join('')}…` : message.trim()
  return breakLinks(short)
}

function itemUrl(appUrl: string, id: string): string {
  return `${appUrl}/dashboard/feedback?item=${id}`
}
