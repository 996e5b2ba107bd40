import Type from 'typebox'
import { DeliveryFailure } from '../delivery-failure.ts'
import { automaticField, labelField } from '../issues/issue-settings.ts'
import type { TrackerApi } from '../issues/tracker.ts'
import { readJson } from '../service-answer.ts'
import type { DocumentNode } from './atlassian-document.ts'

/* Requests to Jira Cloud, version 3 of its REST API (https://developer.atlassian.com/cloud/jira/platform/rest/v3). */

export const jiraSettings = Type.Object({
  site: Type.String({
    title: 'Site',
    description: 'Address of your Jira.',
    examples: ['https://acme.atlassian.net'],
    format: 'uri',
    maxLength: 300,
  }),
  email: Type.String({
    title: 'Email',
    description: 'Of the Atlassian account that the token belongs to.',
    examples: ['earshot@example.com'],
    pattern: '^[^\\s:@]+@[^\\s@]+$',
    maxLength: 200,
  }),
  token: Type.String({
    title: 'API token',
    description: 'Without scopes, from the security settings of that account.',
    pattern: '^[!-~]+$',
    secret: true,
    maxLength: 500,
  }),
  tokenEndsAt: Type.Optional(
    Type.String({
      title: 'Token expiry date',
      description: 'As Atlassian shows it. Owners are emailed 30, 7 and 1 days before.',
      format: 'date',
    }),
  ),
  project: Type.String({
    title: 'Project key',
    description: 'The letters before the number of an issue.',
    examples: ['WEB'],
    pattern: '^[A-Za-z][A-Za-z0-9_]{1,19}$',
  }),
  issueType: Type.Optional(
    Type.String({ title: 'Issue type', description: 'Of new issues.', default: 'Task', maxLength: 100 }),
  ),
  labels: labelField('Labels', 'For new issues, separated by commas.'),
  createAutomatically: automaticField('an issue'),
})

export type JiraSettings = Type.Static<typeof jiraSettings>
export type JiraApi = TrackerApi<JiraSettings>

export interface JiraStatus {
  readonly id: string
  readonly name: string
  readonly statusCategory: { readonly key: string }
}
export interface JiraIssue {
  readonly id: string
  readonly key: string
  readonly fields: { readonly summary: string; readonly status: JiraStatus; readonly description?: unknown }
}
export interface JiraComment {
  readonly id: string
  readonly author?: { readonly displayName: string }
  readonly body: DocumentNode
  readonly visibility?: unknown
}
/** A field of a screen. */
export interface JiraField {
  readonly name: string
  readonly required: boolean
  readonly hasDefaultValue?: boolean
  readonly allowedValues?: readonly { readonly id: string; readonly name: string }[]
}
export interface JiraTransition {
  readonly id: string
  readonly name: string
  readonly to: JiraStatus
  readonly isAvailable?: boolean
  readonly fields?: Readonly<Record<string, JiraField>>
}
export interface JiraHook {
  readonly self: string
  readonly url: string
}

export const pageSize = 100
export const maxPages = 10
const maxAnswerBytes = 8_000_000

export const readSite = ({ settings: { site } }: JiraApi) => new URL(site).origin
export const readProject = ({ settings: { project } }: JiraApi) => project.toUpperCase()
export const isNamed = (name: string, wanted: string) => name.toLowerCase() === wanted.toLowerCase()

/** Issues that a query finds, with some of their fields. */
export async function search(api: JiraApi, jql: string, fields: readonly string[]): Promise<JiraIssue[]> {
  const found: JiraIssue[] = []
  let nextPageToken: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const asked = { jql, fields, maxResults: pageSize, ...(nextPageToken !== undefined && { nextPageToken }) }
    const answer = await ask<{ issues: JiraIssue[]; nextPageToken?: string }>(
      api,
      '/rest/api/3/search/jql',
      'POST',
      asked,
    )
    found.push(...answer.issues)
    nextPageToken = answer.nextPageToken
    if (nextPageToken === undefined) break
  }
  return found
}

/** @throws DeliveryFailure, of kind `refused` with Jira's own words where repeating the request changes nothing. */
export async function ask<Answer>(
  api: JiraApi,
  path: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'GET',
  json?: unknown,
): Promise<Answer> {
  const { email, token } = api.settings
  const answer = await api.send(`${readSite(api)}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`,
      accept: 'application/json',
    },
    maxAnswerBytes,
    ...(json !== undefined && { json }),
    judge: ({ status, body }) => (status === 400 ? readRefusal(body.toString()) : undefined),
  })
  return readJson<Answer>(answer, 'Jira')
}

/** Jira's own words for a request that it can't carry out. Repeating it changes nothing. */
function readRefusal(body: string): DeliveryFailure {
  let words = ''
  try {
    // Jira's documented form of errors.
    const { errorMessages = [], errors = {} } = JSON.parse(body) as {
      errorMessages?: string[]
      errors?: Record<string, string>
    }
    words = [...errorMessages, ...Object.entries(errors).map(([field, text]) => `${field}: ${text}`)].join(' ')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const reason = words === '' ? '' : ` ${words.slice(0, 300)}`
  return new DeliveryFailure(`Jira refused the request (400).${reason}`, { kind: 'refused', status: 400 })
}
