import { escapeMarkdown, joinLines, quoteMarkdown, writeCode, writeCodeBlock } from '#contract/escape-markdown.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { closedReasonLabels, priorityLabels, statusLabels, typeLabels } from '#contract/feedback-labels.ts'
import { attachmentLabels } from '../attachments/attachment-icons.tsx'
import { describeContext } from '../context/describe-context.ts'
import { formatBefore } from '../context/format-before.ts'
import { readPageEvents } from '../context/read-page-events.ts'
import { findSafeHref } from '../item/page-link.ts'

/** More characters than this are cut from a title. */
const maxTitleLength = 80
/** The newest of each kind: more would bury the report. */
const maxEvents = 20

interface ReportContext {
  projectName: string | undefined
  /** Where the team finds the item. */
  link: string
}

/**
 * An item as a bug report in Markdown, for an issue tracker. Who the visitor is stays out of it: trackers are often
 * public. So does a bare `#12`, which a tracker would take for its own issue.
 */
export function writeBugReport(item: FeedbackDetail, { projectName, link }: ReportContext): string {
  const events = readPageEvents(item.context, Date.parse(item.createdAt))
  return [
    `## ${typeLabels[item.type]} ${item.number}${writeTitle(item.message)}`,
    quoteMarkdown(item.message),
    listFacts(item, projectName, link),
    section('Environment', listEnvironment(events.rest)),
    section('Steps', listSteps(events)),
    section('Console errors', listErrors(events)),
    section('Failed requests', listFailures(events)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

type Events = ReturnType<typeof readPageEvents>

const section = (title: string, body: string) => (body === '' ? '' : `### ${title}\n\n${body}`)
const fact = (name: string, value: string) => `- **${name}:** ${value}`

function writeTitle(message: string): string {
  const [first = ''] = message.trim().split('\n')
  const characters = [...joinLines(first)]
  if (characters.length === 0) return ''
  const isCut = characters.length > maxTitleLength
  const title = isCut ? `${characters.slice(0, maxTitleLength).join('').trimEnd()}…` : characters.join('')
  return `: ${escapeMarkdown(title)}`
}

function listFacts(item: FeedbackDetail, projectName: string | undefined, link: string): string {
  const { status, closedReason, priority, pageUrl, pageTitle, attachmentKinds } = item
  const state =
    closedReason === null ? statusLabels[status] : `${statusLabels[status]}: ${closedReasonLabels[closedReason]}`
  const href = findSafeHref(pageUrl)
  return [
    fact('Type', typeLabels[item.type]),
    fact('Status', state),
    ...(priority === 'none' ? [] : [fact('Priority', priorityLabels[priority])]),
    ...(projectName === undefined ? [] : [fact('Project', escapeMarkdown(joinLines(projectName)))]),
    // Its own address is all that a link in angle brackets can show.
    ...(pageUrl === '' ? [] : [fact('Page', href === undefined ? writeCode(pageUrl) : `<${href}>`)]),
    ...(pageTitle === null || pageTitle === '' ? [] : [fact('Page title', escapeMarkdown(joinLines(pageTitle)))]),
    fact(
      'Received',
      new Date(item.createdAt)
        .toISOString()
        .replace('T', ' ')
        .replace(/:\d\d\.\d+Z$/, ' UTC'),
    ),
    ...(attachmentKinds.length === 0
      ? []
      : [fact('Attachments', attachmentKinds.map((kind) => attachmentLabels[kind].toLowerCase()).join(', '))]),
    fact('Item', `<${link}>`),
  ].join('\n')
}

/** Browser and screen: what is needed to reproduce it. */
function listEnvironment(context: Readonly<Record<string, unknown>>): string {
  return describeContext(context)
    .groups.filter(({ title }) => title === 'Browser' || title === 'Screen')
    .flatMap(({ rows }) => rows.map(({ name, value }) => fact(name, escapeMarkdown(joinLines(value)))))
    .join('\n')
}

/** The pages that the visitor went through, and what was clicked last. */
function listSteps({ routes, rest }: Events): string {
  const { clicked } = rest
  const steps = routes
    .slice(-maxEvents)
    .map(({ url, beforeMs }) => `Opened ${writeCode(url)} (${formatBefore(beforeMs)} before sending)`)
  if (typeof clicked === 'string' && clicked.trim() !== '') steps.push(`Last clicked ${writeCode(clicked)}`)
  return steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
}

function listErrors({ console }: Events): string {
  const lines = console
    .filter(({ level }) => level === 'error')
    .slice(-maxEvents)
    .map(({ beforeMs, text }) => `−${formatBefore(beforeMs)}  ${text}`)
  return lines.length === 0 ? '' : writeCodeBlock(lines)
}

function listFailures({ network }: Events): string {
  const lines = network
    .filter(({ status }) => status === 0 || status >= 400)
    .slice(-maxEvents)
    .map(({ beforeMs, method, url, status, durationMs }) => {
      const outcome = status === 0 ? 'failed' : status
      return `−${formatBefore(beforeMs)}  ${method} ${url} → ${outcome} (${Math.round(durationMs)} ms)`
    })
  return lines.length === 0 ? '' : writeCodeBlock(lines)
}
