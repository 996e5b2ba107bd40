import { describe, expect, it } from 'vitest'
import type { Integration, IntegrationField, IntegrationType } from '#contract/integrations.ts'
import { ApiError } from '#web/lib/api.ts'
import { checkDraft, readRefusal, startDraft, toChange, toNewIntegration } from './integration-draft.ts'

const field = (name: string, parts: Partial<IntegrationField> = {}): IntegrationField => ({
  name,
  label: `The ${name}`,
  help: null,
  placeholder: null,
  kind: 'text',
  options: [],
  isSecret: false,
  isRequired: false,
  replacedBy: null,
  defaultValue: null,
  ...parts,
})
const service: IntegrationType = {
  type: 'tracker',
  name: 'Tracker',
  category: 'issues',
  summary: 'Makes issues.',
  guide: null,
  fields: [
    field('url', { kind: 'url', isRequired: true }),
    field('token', { isSecret: true, isRequired: true }),
    field('proxy', { isSecret: true }),
    field('isQuiet', { kind: 'switch', defaultValue: true }),
    field('project'),
  ],
  defaultEvents: ['feedback.created'],
  direction: 'one_way',
  issues: null,
  isSigned: false,
}
const edited: Integration = {
  id: 'i',
  type: 'tracker',
  service: 'Tracker',
  isTracker: false,
  name: 'Our tracker',
  account: null,
  state: 'active',
  reason: null,
  failingSince: null,
  lastDeliveredAt: null,
  waiting: 0,
  credentialsEndAt: null,
  hook: 'none',
  hookFailure: null,
  config: { url: 'https://tracker.example', isQuiet: false, project: 'WEB' },
  storedSecrets: ['token', 'proxy'],
  events: ['feedback.created', 'feedback.assigned'],
  rules: { type: ['bug'], rating: [1, 2] },
  mapping: {},
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

describe('a new integration', () => {
  it('begins with the defaults of the service and leaves out empty fields', () => {
    const draft = startDraft(service)
    expect(draft).toMatchObject({ name: 'Tracker', config: { url: '', isQuiet: true }, events: ['feedback.created'] })
    const filled = { ...draft, config: { ...draft.config, url: 'https://tracker.example', token: 't' } }
    expect(toNewIntegration(service, filled)).toEqual({
      type: 'tracker',
      name: 'Tracker',
      config: { url: 'https://tracker.example', token: 't', isQuiet: true },
      events: ['feedback.created'],
      rules: {},
    })
  })

  it('names the fields that are missing or no address', () => {
    const draft = { ...startDraft(service), name: ' ', events: [] }
    expect(checkDraft(service, draft)).toEqual({
      name: 'Enter a name.',
      'config.url': 'The url is required.',
      'config.token': 'The token is required.',
      events: 'Select at least one event.',
    })
    const bad = { ...draft, config: { ...draft.config, url: 'tracker.example' } }
    expect(checkDraft(service, bad)['config.url']).toMatch(/^Enter a full address/)
  })
})

describe('an edited integration', () => {
  it('sends the changed parts alone', () => {
    const draft = startDraft(service, edited)
    expect(toChange(service, edited, draft)).toBeUndefined()
    expect(toChange(service, edited, { ...draft, events: [...draft.events].reverse() })).toBeUndefined()
    expect(toChange(service, edited, { ...draft, rules: { rating: [1, 2], type: ['bug'] } })).toBeUndefined()
    expect(toChange(service, edited, { ...draft, name: ' Ours ' })).toEqual({ name: 'Ours' })
    expect(toChange(service, edited, { ...draft, rules: {} })).toEqual({ rules: {} })
  })

  it('keeps, replaces and removes stored secrets', () => {
    const draft = startDraft(service, edited)
    expect(checkDraft(service, draft, edited)).toEqual({})
    const change = toChange(service, edited, { ...draft, config: { ...draft.config, token: 'new', proxy: null } })
    expect(change).toEqual({ config: { token: 'new', proxy: '' } })
    const without = { ...draft, config: { ...draft.config, token: null } }
    expect(checkDraft(service, without, edited)).toEqual({ 'config.token': 'The token is required.' })
  })
})

describe('readRefusal', () => {
  it('puts each message at its field, as a sentence', () => {
    const error = new ApiError({
      code: 'validation_failed',
      title: 'Some values are invalid.',
      status: 400,
      requestId: '',
      fields: [
        { path: 'body.config.url', message: 'Private addresses are not allowed.' },
        { path: 'body.config.token', message: 'is required' },
        { path: 'body.rules.projectId.0', message: 'is no project of this organisation' },
      ],
    })
    expect(readRefusal(service, error)).toEqual({
      'config.url': 'Private addresses are not allowed.',
      'config.token': 'The token is required.',
      rules: 'A selected value is no project of this organisation.',
    })
    expect(readRefusal(service, new Error('offline'))).toEqual({})
  })
})
