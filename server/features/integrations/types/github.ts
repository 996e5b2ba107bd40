import { createHmac } from 'node:crypto'
import Type from 'typebox'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { authorizeForRepository, forgetToken } from '../github-app/app-token.ts'
import { type GithubAccess, githubApiUrl, requestGithub } from '../github-app/request-github.ts'
import { isSame } from '../issues/is-same.ts'
import { automaticField, labelField, listLabels } from '../issues/issue-settings.ts'
import type { Stage } from '../issues/merge-stages.ts'
import type { Issue, IssueStatus, Tracker, TrackerApi } from '../issues/tracker.ts'
import { orMissing } from '../service-answer.ts'
import type { ServiceRequest } from '../service-request.ts'

/* GitHub Issues by its REST API (https://docs.github.com/rest/issues), version 2022-11-28. */

const settings = Type.Object({
  repository: Type.String({
    title: 'Repository',
    description: 'Owner and name, as in the address of the repository.',
    examples: ['acme/website'],
    pattern: '^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$',
    maxLength: 200,
  }),
  token: Type.Optional(
    Type.String({
      title: 'Token',
      description: 'A fine-grained token for this repository that may read and write issues and webhooks.',
      examples: ['github_pat_…'],
      secret: true,
      isNeeded: true,
      replacedBy: 'app',
      maxLength: 500,
    }),
  ),
  app: Type.Optional(
    Type.Object(
      { id: Type.Integer({ minimum: 1 }), key: Type.String({ minLength: 1, maxLength: 8_000 }) },
      { secret: true, isInternal: true, additionalProperties: false },
    ),
  ),
  labels: labelField('Labels', 'For new issues, separated by commas.'),
  createAutomatically: automaticField('an issue'),
  apiUrl: Type.Optional(
    Type.String({
      title: 'API address',
      description: 'Of your own GitHub Enterprise Server. Leave it empty for github.com.',
      examples: ['https://github.example.com/api/v3'],
      format: 'uri',
      replacedBy: 'app',
      maxLength: 500,
    }),
  ),
})

type Settings = Type.Static<typeof settings>
type Api = TrackerApi<Settings>

interface GitHubIssue {
  readonly number: number
  readonly title: string
  readonly html_url: string
  readonly body: string | null
  readonly state: 'open' | 'closed'
  readonly state_reason: string | null
  readonly repository_url: string
  readonly pull_request?: unknown
}
interface GitHubHook {
  readonly id: number
  readonly config: { readonly url?: string }
}
interface GitHubComment {
  readonly id: number
  readonly body: string | null
  readonly user: { readonly login: string } | null
}

type Method = ServiceRequest['method']

const pageSize = 100
const maxPages = 10

/** Of an issue. Redirects among them are those that lead elsewhere. */
const goneStatuses = [301, 302, 307, 308, 404, 410]
/** After which an App may have lost its access. */
const lostStatuses = new Set<number | undefined>([401, 403, 404])

const tracker: Tracker<Settings> = {
  markers: 'hidden',
  takes: ['labels'],
  stages: ['todo', 'done', 'dropped'],

  create: async (api, { title, body, labels: more }) => {
    const labels = listLabels(api.settings.labels, more)
    return toIssue(
      await ask<GitHubIssue>(api, `/repos/${api.settings.repository}/issues`, 'POST', { title, body, labels }),
    )
  },

  findByMarker: async (api, marker) => {
    const query = `state=all&sort=created&direction=desc&per_page=${pageSize}`
    const issues = await ask<GitHubIssue[]>(api, `/repos/${api.settings.repository}/issues?${query}`)
    const found = issues.find(({ body }) => body?.includes(marker))
    return found && toIssue(found)
  },

  read: async (api, key) => {
    const issue = await orMissing(ask<GitHubIssue>(api, toPath(key)), goneStatuses)
    return issue && toIssue(issue)
  },

  listStatuses: async () => [open, closed, notPlanned],

  setStage: async (api, key, stage) => {
    const { status, ...state } = stateOf[stage]
    await ask(api, toPath(key), 'PATCH', state)
    return status
  },

  listComments: async (api, key) => {
    const comments = await askPages<GitHubComment>(api, `${toPath(key)}/comments?`)
    return comments.map(({ id, body, user }) => ({ id: String(id), author: user?.login ?? 'ghost', text: body ?? '' }))
  },

  addComment: async (api, key, text) =>
    String((await ask<GitHubComment>(api, `${toPath(key)}/comments`, 'POST', { body: text })).id),

  readReference: ({ repository }, text) => {
    const [, own] = /^#?(\d{1,9})$/.exec(text) ?? []
    if (own !== undefined) return `${repository}#${own}`
    const [, named, number] = /^(?:https?:\/\/[^/]+\/)?([\w.-]+\/[\w.-]+)(?:#|\/issues\/)(\d{1,9})$/.exec(text) ?? []
    // The token may reach more: members link issues of the connected repository alone.
    return named?.toLowerCase() === repository.toLowerCase() ? `${repository}#${number}` : undefined
  },

  readHook: ({ headers, body }, secret) => {
    const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    if (!isSame(headers['x-hub-signature-256'], expected)) return undefined
    const id = headers['x-github-delivery']
    if (id === undefined) return undefined
    // Of a signed call, only what is looked up again is read.
    const { issue, repository } = JSON.parse(body.toString()) as {
      issue?: { number?: unknown }
      repository?: { full_name?: unknown }
    }
    const isIssue = typeof issue?.number === 'number' && typeof repository?.full_name === 'string'
    return { id, issueKeys: isIssue ? [`${repository?.full_name}#${issue?.number}`] : [] }
  },

  hooks: {
    register: async (api, { url, secret }) => {
      const { repository } = api.settings
      const path = `/repos/${repository}/hooks`
      const hooks = await ask<GitHubHook[]>(api, `${path}?per_page=${pageSize}`)
      const [former, ...more] = hooks.filter(({ config }) => config.url === url)
      const hook = {
        active: true,
        events: ['issues', 'issue_comment'],
        config: { url, content_type: 'json', insecure_ssl: '0', secret },
      }
      const { id } = former
        ? await ask<GitHubHook>(api, `${path}/${former.id}`, 'PATCH', hook)
        : await ask<GitHubHook>(api, path, 'POST', { name: 'web', ...hook })
      for (const each of more) await ask(api, `${path}/${each.id}`, 'DELETE')
      return { id: `${repository}#${id}`, endsAt: null }
    },

    remove: async (api, id) => {
      const [repository, number] = id.split('#')
      await orMissing(ask(api, `/repos/${repository}/hooks/${number}`, 'DELETE'))
    },
  },

  listChanged: async (api, since) => {
    const query = `state=all&since=${since.toISOString()}&sort=updated&direction=asc`
    const issues = await askPages<GitHubIssue>(api, `/repos/${api.settings.repository}/issues?${query}`)
    // Links of a repository that was renamed have its former name, until they are read again.
    return issues.flatMap((issue) => [toIssue(issue).key, `${api.settings.repository}#${issue.number}`])
  },
}

export const github = defineIntegration({
  type: 'github',
  name: 'GitHub Issues',
  category: 'issues',
  summary: 'Creates issues from feedback. Status and comments stay alike on both sides.',
  guide: 'github',
  settings,
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.commented'],
  // The secret of the webhook that GitHub calls.
  isSigned: true,
  tracker,
  connect: async (given, { send }) => {
    const api = { settings: given, send }
    const found = await ask<{ full_name: string; has_issues: boolean }>(api, `/repos/${given.repository}`)
    if (!found.has_issues) throw new DeliveryFailure('Issues are switched off in this repository.')
    return { account: found.full_name, credentialsEndAt: null }
  },
})

const open: IssueStatus = { id: 'open', name: 'Open', stage: 'todo' }
const closed: IssueStatus = { id: 'closed', name: 'Closed', stage: 'done' }
const notPlanned: IssueStatus = { id: 'not_planned', name: 'Closed as not planned', stage: 'dropped' }

const stateOf: Readonly<Record<Stage, { state: string; state_reason: string; status: IssueStatus }>> = {
  todo: { state: 'open', state_reason: 'reopened', status: open },
  started: { state: 'open', state_reason: 'reopened', status: open },
  done: { state: 'closed', state_reason: 'completed', status: closed },
  dropped: { state: 'closed', state_reason: 'not_planned', status: notPlanned },
}

function toIssue({
  number,
  title,
  html_url: url,
  state,
  state_reason: reason,
  repository_url: repository,
}: GitHubIssue): Issue {
  const name = repository.split('/').slice(-2).join('/')
  const isDropped = reason === 'not_planned' || reason === 'duplicate'
  const status = state === 'open' ? open : isDropped ? notPlanned : closed
  return { key: `${name}#${number}`, label: `${name}#${number}`, title, url, status }
}

function toPath(key: string): string {
  const [repository, number] = key.split('#')
  return `/repos/${repository}/issues/${number}`
}

/** All entries of a list, of at most ten pages. */
async function askPages<Entry>(api: Api, path: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let page = 1; page <= maxPages; page += 1) {
    const found = await ask<Entry[]>(api, `${path}&per_page=${pageSize}&page=${page}`)
    entries.push(...found)
    if (found.length < pageSize) break
  }
  return entries
}

/** @returns the parsed answer, which is as GitHub documents it. */
async function ask<Answer>(api: Api, path: string, method: Method = 'GET', json?: unknown): Promise<Answer> {
  const { app, repository } = api.settings
  const access = { apiUrl: api.settings.apiUrl ?? githubApiUrl, send: api.send }
  const options = { method, ...(json !== undefined && { json }) }
  const authorization = await authorize(access, api.settings)
  try {
    return await requestGithub<Answer>(access, path, { ...options, authorization })
  } catch (error) {
    if (!app || !(error instanceof DeliveryFailure) || !lostStatuses.has(error.status)) throw error
    forgetToken(access, app, repository)
    // Fails with the reason when the App was suspended or uninstalled. Else, a token that has ended is replaced.
    const renewed = await authorize(access, api.settings)
    if (error.status !== 401) throw error
    return requestGithub<Answer>(access, path, { ...options, authorization: renewed })
  }
}

/** By a token, or by an App's credentials. @throws DeliveryFailure. */
async function authorize(access: GithubAccess, { token, app, repository }: Settings): Promise<string> {
  if (app) return authorizeForRepository(access, app, repository)
  if (token !== undefined) return `Bearer ${token}`
  throw new DeliveryFailure('Enter a token, or connect a GitHub App.', { kind: 'gone' })
}
