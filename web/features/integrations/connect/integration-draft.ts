import {
  type DeliveredEvent,
  type DeliveryRules,
  deliveredEvents,
  type Integration,
  type IntegrationChange,
  type IntegrationField,
  type IntegrationType,
  type NewIntegration,
} from '#contract/integrations.ts'
import type { IssueMapping } from '#contract/issue-mapping.ts'
import { ApiError } from '#web/lib/api.ts'
import { tidyMapping } from '../mapping/mapping-draft.ts'

/** The form of an integration as it is filled in. */
export interface IntegrationDraft {
  readonly name: string
  /** By the field's name. Null: the stored secret is removed. */
  readonly config: Readonly<Record<string, string | boolean | null>>
  readonly events: readonly DeliveredEvent[]
  readonly rules: DeliveryRules
  /** Of a tracker that is connected already: its statuses are asked for. */
  readonly mapping: IssueMapping
}

/** Sentences by the place in the request body that they are about, such as `config.url`. */
export type DraftErrors = Readonly<Record<string, string>>

/** The form of a new integration, or of one that is edited. Secrets begin empty: the server never returns them. */
export function startDraft(service: IntegrationType, edited?: Integration): IntegrationDraft {
  const readStart = ({ name, kind, defaultValue }: IntegrationField) => {
    const value = edited ? edited.config[name] : defaultValue
    if (kind === 'switch') return value === true
    return typeof value === 'string' ? value : ''
  }
  return {
    name: edited?.name ?? service.name,
    config: Object.fromEntries(service.fields.map((field) => [field.name, readStart(field)])),
    events: edited?.events ?? service.defaultEvents,
    rules: edited?.rules ?? {},
    mapping: tidyMapping(edited?.mapping ?? {}),
  }
}

/** The service without the fields that a stored secret replaces, such as a token beside an App. */
export function leaveOutReplaced(service: IntegrationType, { storedSecrets }: Integration): IntegrationType {
  const fields = service.fields.filter(({ replacedBy }) => replacedBy === null || !storedSecrets.includes(replacedBy))
  return { ...service, fields }
}

/** Errors that need no server to be found. */
export function checkDraft(service: IntegrationType, draft: IntegrationDraft, edited?: Integration): DraftErrors {
  const errors: Record<string, string> = {}
  if (draft.name.trim() === '') errors.name = 'Enter a name.'
  for (const { name, label, kind, isRequired, isSecret } of service.fields) {
    const value = draft.config[name]
    const isStored = isSecret && edited?.storedSecrets.includes(name) === true && value !== null
    const isEmpty = value === null || (typeof value === 'string' && value.trim() === '')
    if (isRequired && isEmpty && !isStored) errors[`config.${name}`] = `${label} is required.`
    else if (kind === 'url' && !isEmpty && !isWebAddress(value)) {
      errors[`config.${name}`] = 'Enter a full address, such as https://example.com/path.'
    }
  }
  if (draft.events.length === 0) errors.events = 'Select at least one event.'
  return errors
}

function isWebAddress(value: string | boolean | null | undefined): boolean {
  return typeof value === 'string' && /^https?:\/\/[^\s/]+/i.test(value.trim()) && URL.canParse(value.trim())
}

export function toNewIntegration(service: IntegrationType, { name, config, events, rules }: IntegrationDraft) {
  return {
    type: service.type,
    name: name.trim(),
    config: Object.fromEntries(Object.entries(config).filter(([, value]) => value !== '' && value !== null)),
    events: inOrder(events),
    rules,
  } satisfies NewIntegration
}

/**
 * The changed parts of an integration. An unchanged `config` is left out: naming it makes the server ask the service
 * again. Undefined: nothing changed.
 */
export function toChange(
  service: IntegrationType,
  edited: Integration,
  draft: IntegrationDraft,
): IntegrationChange | undefined {
  const before = startDraft(service, edited)
  const config = Object.fromEntries(
    Object.entries(draft.config)
      .filter(([name, value]) => value !== before.config[name])
      // The server takes an empty text as no value.
      .map(([name, value]) => [name, value ?? '']),
  )
  const change: IntegrationChange = {
    ...(draft.name.trim() !== edited.name && { name: draft.name.trim() }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(!isSame(inOrder(draft.events), inOrder(edited.events)) && { events: inOrder(draft.events) }),
    ...(!isSame(draft.rules, edited.rules) && { rules: draft.rules }),
    ...(!isSame(draft.mapping, before.mapping) && { mapping: draft.mapping }),
  }
  return Object.keys(change).length === 0 ? undefined : change
}

function inOrder(events: readonly DeliveredEvent[]): DeliveredEvent[] {
  return deliveredEvents.filter((event) => events.includes(event))
}

function isSame(one: unknown, other: unknown): boolean {
  const sorted = (value: unknown) =>
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => a.localeCompare(b)))
        : each,
    )
  return sorted(one) === sorted(other)
}

/**
 * The server's refusal, by field. A list's entries (`rules.projectId.0`) count for the list as a whole. Empty: the
 * refusal is about no field of the form.
 */
export function readRefusal(service: IntegrationType, error: Error): DraftErrors {
  if (!(error instanceof ApiError)) return {}
  const errors: Record<string, string> = {}
  for (const { path, message } of error.problem.fields ?? []) {
    const [place = '', name = ''] = path.replace(/^body\./, '').split('.')
    const field = place === 'config' ? service.fields.find((each) => each.name === name) : undefined
    if (field) errors[`config.${name}`] ??= toSentence(field.label, message)
    else if (place === 'name') errors.name ??= toSentence('The name', message)
    else if (place === 'events') errors.events ??= toSentence('The selection', message)
    else if (place === 'rules') errors.rules ??= toSentence('A selected value', message)
    else if (place === 'mapping') errors.mapping ??= toSentence('A selected value', message)
  }
  return errors
}

/** Messages are sentences, or predicates such as `is required`. */
function toSentence(subject: string, message: string): string {
  const text = /^[a-z]/.test(message) ? `${subject} ${message}` : message
  return /[.!?]$/.test(text) ? text : `${text}.`
}
