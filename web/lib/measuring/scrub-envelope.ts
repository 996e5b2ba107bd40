import { redactPageAddress } from '#contract/redact-analytics.ts'
import { scrub } from '#server/platform/scrub/scrub.ts'
import { scrubText } from '#server/platform/scrub/scrub-text.ts'

const maxAgentCharacters = 1_000
const agentName = /^user[-_.]?agent(?:\.original)?$/i

/**
 * A report to Sentry without personal data: errors, spans, breadcrumbs and replays alike. Everything that the SDK sends
 * passes here, also what a later version adds.
 *
 * @param envelope its headers, and a list of items: header and content of each.
 */
export function scrubEnvelope<Envelope>(envelope: Envelope): Envelope {
  // The form that the protocol gives every envelope (https://develop.sentry.dev/sdk/data-model/envelopes/).
  const [headers, items] = envelope as [unknown, [{ type?: string }, unknown][]]
  // The same form, with other content.
  return [headers, items.map(([header, content]) => [header, scrubContent(header.type, content)])] as Envelope
}

function scrubContent(type: string | undefined, content: unknown): unknown {
  if (type === 'replay_recording') return scrubRecording(content)
  const agents = new Map<string, string>()
  const scrubbed = scrub(mapTexts(content, (text) => redactPageAddress(text)))
  collectAgents(content, agents)
  // A browser's name and version is no secret, and its version is no IP address.
  return mapTexts(scrubbed, (text, name) => (agentName.test(name) ? (agents.get(name) ?? text) : text))
}

/** A line that numbers the segment, then a JSON list. Anything else is not sent. */
function scrubRecording(content: unknown): unknown {
  if (typeof content !== 'string') return ''
  const end = content.indexOf('\n')
  try {
    const events: unknown = JSON.parse(content.slice(end + 1))
    // Not by scrub(), which cuts deep trees: a page is one.
    return `${content.slice(0, end + 1)}${JSON.stringify(mapTexts(events, (text) => scrubText(redactPageAddress(text))))}`
  } catch {
    return ''
  }
}

function collectAgents(value: unknown, agents: Map<string, string>): void {
  mapTexts(value, (text, name) => {
    if (agentName.test(name)) agents.set(name, text.slice(0, maxAgentCharacters))
    return text
  })
}

/** A copy with other texts. `name`: of the nearest field. */
function mapTexts(value: unknown, change: (text: string, name: string) => string, name = ''): unknown {
  if (typeof value === 'string') return change(value, name)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, name))
  if (typeof value !== 'object' || value === null) return value
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change, key === 'value' ? name : key)]),
  )
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
