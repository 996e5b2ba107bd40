import type { RenderedMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'
import { oneNewItem, oneNotification, severalNewItems, severalNotifications } from './templates/feedback.templates.ts'
import { type OpenTemplate, openTemplate } from './templates/open-template.ts'

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
  const { appUrl, unsubscribeUrl } = frame
  if (others.length === 0) {
    const opened = openTemplate(oneNotification, appUrl)
    const project = quoteName(first.projectName)
    return opened.render({
      ...{ appUrl, unsubscribeUrl, strong: [project], items: [toItem(first, appUrl)] },
      values: { project, event: describeNotification(opened, first), excerpt: quote(first) ?? project },
      action: { url: itemUrl(appUrl, first.id) },
    })
  }
  const opened = openTemplate(severalNotifications, appUrl)
  return opened.render({
    ...{ appUrl, unsubscribeUrl },
    values: {
      organization: quoteName(frame.organizationName),
      count: String(notifications.length),
      event: describeNotification(opened, first),
    },
    items: notifications
      .slice(0, maxNotifications)
      .map((each) => toItem(each, appUrl, describeNotification(opened, each))),
    action: { url: `${appUrl}/dashboard/feedback` },
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
  const { appUrl, unsubscribeUrl } = frame
  const [only] = first.items
  const link = new URL(`${appUrl}/dashboard/feedback`)
  if (projects.length === 1) link.searchParams.set('project', first.projectId)
  const shown = projects.flatMap((project) => project.items)
  const excerpt = only && quote(only)
  const values = {
    place: quoteName(projects.length === 1 ? first.projectName : frame.organizationName),
    quote: excerpt ?? '',
  }
  const listProjects = (say: (line: 'projectCount', values: Record<string, string>) => string) =>
    count > shown.length || projects.length > 1
      ? projects.map(({ projectName, count: own }) =>
          say('projectCount', { project: quoteName(projectName), projectCount: String(own) }),
        )
      : []
  const parts = {
    ...{ appUrl, unsubscribeUrl },
    phrases: {
      ...{ withoutQuote: excerpt === undefined, instantly: mode === 'instant' },
      ...{ hourly: mode === 'hourly', daily: mode === 'daily' },
    },
    strong: projects.map(({ projectName }) => quoteName(projectName)),
    items: shown.slice(0, maxNotifications).map((item) => toItem(item, appUrl)),
  }
  if (count === 1) {
    const opened = openTemplate(oneNewItem, appUrl)
    const action = only ? { url: itemUrl(appUrl, only.id) } : { url: link.href, label: 'inboxButton' as const }
    return opened.render({ ...parts, values, action, paragraphs: listProjects(opened.say) })
  }
  const opened = openTemplate(severalNewItems, appUrl)
  return opened.render({
    ...{ ...parts, values: { ...values, count: String(count) } },
    ...{ paragraphs: listProjects(opened.say), action: { url: link.href } },
  })
}

function describeNotification(
  { say }: Pick<OpenTemplate<never, never, EventLine>, 'say'>,
  { kind, actorName, itemCount, number: itemNumber }: NotificationMail,
): string {
  const number = String(itemNumber)
  const actor = actorName === null ? say('unknownActor') : quoteName(actorName)
  const what = itemCount > 1 ? say('items', { itemCount: String(itemCount) }) : `#${number}`
  if (kind === 'assigned') return say('assigned', { actor, what })
  if (kind === 'mentioned') return say('mentioned', { actor, number })
  return say('visitorReplied', { number })
}

type EventLine = (typeof oneNotification)['names']['lines'][number]

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
