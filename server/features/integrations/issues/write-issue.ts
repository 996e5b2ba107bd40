import { escapeMarkdown, joinLines, quoteMarkdown, writeCode, writeCodeBlock } from '#contract/escape-markdown.ts'
import { typeLabels } from '#contract/feedback-labels.ts'
import type { DeliveredItem } from '../../feedback/delivered-items.service.ts'
import type { IssueDraft } from './tracker.ts'

const maxTitleLength = 120
/** The newest: more would bury the message. */
const maxErrors = 20

/** An item as a new issue, in Markdown. Who the visitor is stays out of it: issues are often public. */
export function writeIssue(
  item: DeliveredItem,
  appUrl: string,
  { marker, backLink }: { marker: string; backLink: string },
  fields: Pick<IssueDraft, 'labels' | 'priority' | 'assigneeEmail'>,
): IssueDraft {
  const parts = [
    quoteMarkdown(item.message),
    listFacts(item),
    listFiles(item, appUrl),
    section('Console errors', listErrors(item.context)),
    `[${typeLabels[item.type]} ${item.number} in Earshot](${backLink})`,
    // Another may stand in the link already.
    backLink.includes(marker) ? '' : marker,
  ]
  const body = parts.filter((part) => part !== '').join('\n\n')
  return { title: writeTitle(item), body, marker, ...fields }
}

function writeTitle({ type, number, message }: DeliveredItem): string {
  const [first = ''] = message.trim().split('\n')
  const characters = [...joinLines(first)]
  if (characters.length === 0) return `${typeLabels[type]} ${number}`
  if (characters.length <= maxTitleLength) return characters.join('')
  return `${characters.slice(0, maxTitleLength).join('').trimEnd()}…`
}

const section = (title: string, body: string) => (body === '' ? '' : `### ${title}\n\n${body}`)
const fact = (name: string, value: string) => `- **${name}:** ${value}`

function listFacts({ type, projectName, pageUrl, pageTitle, rating, context, createdAt }: DeliveredItem): string {
  const agent = context.userAgent
  const received = createdAt.replace('T', ' ').replace(/:\d\d\.\d+Z$/, ' UTC')
  return [
    fact('Type', typeLabels[type]),
    fact('Project', escapeMarkdown(joinLines(projectName))),
    ...(pageUrl === '' ? [] : [fact('Page', writeCode(pageUrl))]),
    ...(pageTitle === null || pageTitle === '' ? [] : [fact('Page title', escapeMarkdown(joinLines(pageTitle)))]),
    ...(rating === null ? [] : [fact('Rating', `${rating} of 5`)]),
    ...(typeof agent === 'string' ? [fact('Browser', writeCode(agent))] : []),
    fact('Received', received),
  ].join('\n')
}

/** Pictures are shown, the rest is linked. The links end after 30 days: files stay in Earshot. */
function listFiles({ attachments }: DeliveredItem, appUrl: string): string {
  return attachments
    .flatMap(({ url, mime, kind, name }) => {
      if (url === null) return []
      const label = escapeMarkdown(joinLines(name ?? kind))
      return [`${mime?.startsWith('image/') ? '!' : ''}[${label}](${new URL(url, appUrl).href})`]
    })
    .join('\n\n')
}

/** Errors of the console as the widget writes them: time, level, text. Visitors can send any JSON. */
function listErrors({ console: entries }: Readonly<Record<string, unknown>>): string {
  if (!Array.isArray(entries)) return ''
  const errors = entries.flatMap((entry: unknown) => {
    const [, level, text] = Array.isArray(entry) ? entry : []
    return level === 'error' && typeof text === 'string' ? [joinLines(text)] : []
  })
  return errors.length === 0 ? '' : writeCodeBlock(errors.slice(-maxErrors))
}
