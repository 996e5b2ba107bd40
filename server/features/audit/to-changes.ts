import { Clean } from 'typebox/value'
import type { AuditChange, AuditFacts } from '#contract/audited-events.ts'
import { type AnyEvent, events } from '#contract/events.ts'
import { scrubSecrets } from '#server/platform/scrub/scrub-secrets.ts'
import { isSecretName } from '#server/platform/scrub/secret-names.ts'

/** Changes that an event stands for: one for each member, else one for each id. */
export function toChanges(event: AnyEvent): AuditChange[] {
  // Only what the contract declares: what else a payload held would never leave the log.
  const payload = Clean(events[event.name].payload, structuredClone(event.payload)) as AuditFacts
  const { members, name, before, after, ...rest } = payload
  if (Array.isArray(members)) return members.map((member: AuditFacts) => toMemberChange(event, member))
  const facts = { before: cleanFacts(before), after: cleanFacts(after ?? rest) }
  return event.ids.map((targetId) => ({ targetId, targetName: toText(name), ...facts }))
}

function toMemberChange(event: AnyEvent, { userId, name, from, to, role }: AuditFacts): AuditChange {
  const isGone = event.name === 'member.removed'
  const before = isGone ? role : from
  const after = isGone ? undefined : (to ?? role)
  return {
    targetId: String(userId),
    targetName: toText(name),
    before: before === undefined ? null : { role: before },
    after: after === undefined ? null : { role: after },
  }
}

const toText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Facts without secrets; null: none. Email addresses stay: they are members'. */
function cleanFacts(facts: unknown): AuditFacts | null {
  if (typeof facts !== 'object' || facts === null) return null
  const entries = Object.entries(facts).map(([name, value]) => [
    name,
    isSecretName(name) ? '[redacted]' : cleanValue(value),
  ])
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return scrubSecrets(value)
  return Array.isArray(value) ? value.map(cleanValue) : value
}
