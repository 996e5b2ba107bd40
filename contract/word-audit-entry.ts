import type { AuditEntry } from './audit.ts'
import { type AuditFacts, type AuditTarget, auditedEvents, auditFieldNames } from './audited-events.ts'
import type { ActorKind, EventName } from './events.ts'
import { instanceActs } from './instance-acts.ts'

type Worded = Pick<AuditEntry, 'action' | 'actor' | 'before' | 'after'> & {
  // Entries of the instance have targets that no organisation has.
  readonly target: Omit<AuditEntry['target'], 'type'> & { readonly type: string | null }
}

/** A piece of a sentence. Names and values of the entry are emphasised. */
interface AuditWords {
  readonly text: string
  readonly isName: boolean
}

const namelessActors: Readonly<Record<ActorKind, string>> = {
  user: 'A former member',
  api_key: 'An API key',
  integration: 'An integration',
  superadmin: 'A superadmin',
  visitor: 'Someone not signed in',
  system: 'Earshot',
}

const namelessTargets: Readonly<Record<AuditTarget, string> & Partial<Record<string, string>>> = {
  user: 'a former member',
  invitation: 'someone',
  organization: 'the organisation',
  project: 'a deleted project',
  api_key: 'an API key',
  integration: 'an integration',
  connected_app: 'an app',
  export: 'an export',
  import: 'an import',
  visitor_erasure: 'a visitor',
}

/** An entry as a sentence, in pieces. An entry of an action that this version does not know is its name. */
export function wordAuditEntry(entry: Worded): AuditWords[] {
  const template = findTemplate(entry)
  if (template === undefined) return [{ text: `${nameActor(entry)}: ${entry.action}`, isName: false }]
  return template
    .split(/(\{[\w.]+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => (piece.startsWith('{') ? fillIn(entry, piece.slice(1, -1)) : { text: piece, isName: false }))
}

/** The same as plain text. */
export function describeAuditEntry(entry: Worded): string {
  return wordAuditEntry(entry)
    .map(({ text }) => text)
    .join('')
}

/** A fact in words: `yes`, `none`, `a, b`. */
export function describeAuditFact(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(describeAuditFact).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function findTemplate(entry: Worded): string | undefined {
  // Any text: entries may be older or newer than this code.
  const audited = auditedEvents[entry.action as EventName]
  const { words, ownWords = undefined } = audited ?? { words: instanceActs[entry.action] }
  if (ownWords !== undefined && entry.actor.id !== null && entry.actor.id === entry.target.id) return ownWords
  return typeof words === 'string' ? words : words?.by[String(entry.after?.[words.fact])]
}

function fillIn(entry: Worded, name: string): AuditWords {
  const { target, before, after } = entry
  if (name === 'actor') return { text: nameActor(entry), isName: true }
  if (name === 'target') {
    return {
      text: target.name ?? namelessTargets[target.type ?? 'organization'] ?? 'something',
      isName: target.name !== null,
    }
  }
  if (name === 'fields') return { text: listFields(after), isName: false }
  const [side, fact = ''] = name.split('.')
  return { text: describeAuditFact((side === 'before' ? before : after)?.[fact]), isName: false }
}

function nameActor({ actor }: Worded): string {
  const name = actor.name ?? namelessActors[actor.kind]
  return actor.kind === 'superadmin' && actor.name !== null ? `${name} (superadmin)` : name
}

function listFields(facts: AuditFacts | null): string {
  const names = Object.keys(facts ?? {}).map((name) => auditFieldNames[name] ?? name)
  const last = names.pop() ?? 'settings'
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}
