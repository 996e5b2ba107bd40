import { createHmac } from 'node:crypto'
import Type from 'typebox'
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { isSame } from '../issues/is-same.ts'
import { automaticField, labelField, listLabels } from '../issues/issue-settings.ts'
import type { Issue, IssueComment, IssueStatus, Tracker } from '../issues/tracker.ts'
import { ask, askPages, find, type GitLabApi, notGitLab, pageSize } from './gitlab-api.ts'

const settings = Type.Object({
  project: Type.String({
    title: 'Project',
    description: 'Its path, as in the address of the project.',
    examples: ['acme/website'],
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+$',
    maxLength: 300,
  }),
  token: Type.String({
    title: 'Token',
    description: 'A project, group or personal access token with the scope “api”.',
    examples: ['glpat-…'],
    pattern: '^[!-~]+$',
    secret: true,
    maxLength: 500,
  }),
  labels: labelField('Labels', 'For new issues, separated by commas.'),
  createAutomatically: automaticField('an issue'),
  server: Type.Optional(
    Type.String({
      title: 'Server',
      description: 'Of your own GitLab. Leave it empty for gitlab.com.',
      examples: ['https://gitlab.example.com'],
      format: 'uri',
      maxLength: 500,
    }),
  ),
})

type Settings = Type.Static<typeof settings>

interface GitLabIssue {
  readonly iid: number
  readonly project_id: number
  readonly title: string
  readonly description: string | null
  readonly state: 'opened' | 'closed'
  readonly web_url: string
  readonly references: { readonly full: string }
  /** Of the issue in another project that has taken its place; an id of the whole server. */
  readonly moved_to_id: number | null
}
interface GitLabNote {
  readonly id: number
  readonly body: string
  readonly author: { readonly name: string }
  /** Written by GitLab: “closed”, “mentioned in …”. */
  readonly system: boolean
  /** Only for members of the project. Former versions say `confidential`. */
  readonly internal?: boolean
  readonly confidential?: boolean
}
interface GitLabHook {
  readonly id: number
  readonly url: string
  readonly signing_token_present?: boolean
}

const maxMoves = 3
/** As Standard Webhooks recommends. */
const hookToleranceSeconds = 300

const open: IssueStatus = { id: 'opened', name: 'Open', stage: 'todo' }
const closed: IssueStatus = { id: 'closed', name: 'Closed', stage: 'done' }

const tracker: Tracker<Settings> = {
  markers: 'hidden',
  takes: ['labels', 'assignee'],
  stages: ['todo', 'done'],

  create: async (api, { title, body, labels: more, assigneeEmail }) => {
    const assignee = assigneeEmail === null ? undefined : await findMember(api, assigneeEmail)
    const issue = {
      title,
      description: body,
      labels: listLabels(api.settings.labels, more).join(','),
      ...(assignee !== undefined && { assignee_ids: [assignee] }),
    }
    return toIssue(await ask<GitLabIssue>(api, `${toProject(api)}/issues`, 'POST', { json: issue }))
  },

  findByMarker: async (api, marker) => {
    const query = `scope=all&order_by=created_at&sort=desc&per_page=${pageSize}`
    const issues = await ask<GitLabIssue[]>(api, `${toProject(api)}/issues?${query}`)
    const found = issues.find(({ description }) => description?.includes(marker))
    return found && toIssue(found)
  },

  read: (api, key) => readIssue(api, key, maxMoves),

  listStatuses: async () => [open, closed],

  setStage: async (api, key, stage) => {
    const isOpen = stage === 'todo' || stage === 'started'
    await ask(api, toPath(key), 'PUT', { json: { state_event: isOpen ? 'reopen' : 'close' } })
    return isOpen ? open : closed
  },

  listComments: async (api, key) => {
    const notes = await askPages<GitLabNote>(api, `${toPath(key)}/notes?sort=asc&order_by=created_at`)
    // Internal notes may be read by fewer people than the item.
    return notes.filter(({ system, internal, confidential }) => !system && !internal && !confidential).map(toComment)
  },

  addComment: async (api, key, text) => {
    // GitLab would carry out a line such as `/close` as a command of the token's owner.
    const body = text.replace(/^([^\S\n]*)\//gm, '$1\\/')
    return String((await ask<GitLabNote>(api, `${toPath(key)}/notes`, 'POST', { json: { body } })).id)
  },

  readReference: ({ project }, text) => {
    const [, own] = /^#?(\d{1,9})$/.exec(text) ?? []
    if (own !== undefined) return `${project}#${own}`
    const address = /^(?:https?:\/\/[^/]+\/)?([\w./-]+?)(?:#|(?:\/-)?\/(?:issues|work_items)\/)(\d{1,9})(?:#note_\d+)?$/
    const [, named, number] = address.exec(text) ?? []
    // The token may reach more: members link issues of the connected project alone.
    return named?.toLowerCase() === project.toLowerCase() ? `${project}#${number}` : undefined
  },

  readHook: ({ headers, body }, secret) => {
    const isGenuine =
      headers['webhook-signature'] === undefined
        ? isSame(headers['x-gitlab-token'], secret)
        : isSignedNow(headers, body, secret)
    const event = headers['x-gitlab-event-uuid']
    // Of the versions before 17.4, one event can call twice: for a comment, and for what its command did.
    const id = headers['webhook-id'] ?? headers['idempotency-key'] ?? (event && `${event} ${headers['x-gitlab-event']}`)
    if (!isGenuine || id === undefined) return undefined
    // Of a genuine call, only what is looked up again is read.
    const { object_kind: kind, ...call } = JSON.parse(body.toString()) as {
      object_kind?: unknown
      project?: { id?: unknown }
      object_attributes?: { iid?: unknown }
      issue?: { iid?: unknown }
    }
    // Tasks and incidents are work items, with numbers among those of issues.
    const isOwn = kind === 'issue' || kind === 'work_item'
    const iid = isOwn ? call.object_attributes?.iid : kind === 'note' ? call.issue?.iid : undefined
    const isIssue = typeof iid === 'number' && typeof call.project?.id === 'number'
    return { id, issueKeys: isIssue ? [`${call.project?.id}#${iid}`] : [] }
  },

  hooks: {
    register: async (api, { url, secret }) => {
      const path = `${toProject(api)}/hooks`
      const former = await askPages<GitLabHook>(api, path)
      for (const hook of former.filter((each) => each.url === url)) await removeHook(api, String(hook.id))
      const hook = {
        url,
        push_events: false,
        issues_events: true,
        confidential_issues_events: true,
        note_events: true,
        confidential_note_events: true,
        enable_ssl_verification: true,
      }
      const json = { ...hook, signing_token: secret }
      const made = await ask<GitLabHook>(api, path, 'POST', { json, judge: judgeHook })
      // Versions before 19.0 sign nothing. They send the secret itself.
      if (!made.signing_token_present)
        await ask(api, `${path}/${made.id}`, 'PUT', { json: { ...hook, token: secret }, judge: judgeHook })
      return { id: String(made.id), endsAt: null }
    },
    remove: removeHook,
  },

  listChanged: async (api, since) => {
    const query = `scope=all&updated_after=${since.toISOString()}&order_by=updated_at&sort=asc`
    const issues = await askPages<GitLabIssue>(api, `${toProject(api)}/issues?${query}`)
    return issues.map((issue) => toIssue(issue).key)
  },
}

export const gitlab = defineIntegration({
  type: 'gitlab',
  name: 'GitLab',
  category: 'issues',
  summary: 'Creates issues from feedback. Status and comments stay alike on both sides.',
  guide: 'gitlab',
  settings,
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.commented'],
  // The secret of the webhook that GitLab calls.
  isSigned: true,
  tracker,
  connect: async (given, { send }) => {
    const api = { settings: given, send }
    const project = await ask<{ path_with_namespace?: string; issues_enabled?: boolean } | null>(api, toProject(api))
    if (!project?.path_with_namespace) throw notGitLab()
    if (project.issues_enabled === false) throw new DeliveryFailure('Issues are switched off in this project.')
    interface Token {
      readonly scopes: readonly string[]
      readonly expires_at: string | null
    }
    // Access tokens alone are described there.
    const token = await find<Token>(api, '/personal_access_tokens/self')
    if (token && !token.scopes.includes('api')) throw new DeliveryFailure('The token needs the scope “api”.')
    const credentialsEndAt = token?.expires_at ? new Date(`${token.expires_at}T00:00:00Z`) : null
    return { account: project.path_with_namespace, credentialsEndAt }
  },
})

const toProject = ({ settings: { project } }: GitLabApi) => `/projects/${encodeURIComponent(project)}`

/** A key is `project#iid`; the project by its id, which stays when it is renamed, or by its path. */
function toPath(key: string): string {
  const [project = '', iid] = key.split('#')
  return `/projects/${encodeURIComponent(project)}/issues/${iid}`
}

function toIssue({ iid, project_id: project, title, web_url: url, state, references }: GitLabIssue): Issue {
  const status = state === 'opened' ? open : closed
  return { key: `${project}#${iid}`, label: references.full, title, url, status }
}

const toComment = ({ id, body, author }: GitLabNote): IssueComment => ({
  id: String(id),
  author: author.name,
  text: body,
})

/** A member of the project by an email address that GitLab shows; undefined: none, or several whose names contain it. */
async function findMember(api: GitLabApi, email: string): Promise<number | undefined> {
  const path = `${toProject(api)}/members/all?query=${encodeURIComponent(email)}`
  const [member, ...others] = await ask<{ id: number }[]>(api, path)
  return others.length === 0 ? member?.id : undefined
}

/** An issue where it is now, after at most so many moves to other projects. */
async function readIssue(api: GitLabApi, key: string, moves: number): Promise<Issue | undefined> {
  const issue = await find<GitLabIssue>(api, toPath(key))
  if (!issue?.moved_to_id) return issue && toIssue(issue)
  const movedTo = moves > 0 ? await findMoved(api, issue.moved_to_id) : undefined
  return movedTo === undefined ? undefined : readIssue(api, movedTo, moves - 1)
}

/** The key of an issue by its id of the whole server, which REST finds for administrators alone. */
async function findMoved(api: GitLabApi, id: number): Promise<string | undefined> {
  const query = 'query ($id: IssueID!) { issue(id: $id) { iid projectId } }'
  const json = { query, variables: { id: `gid://gitlab/Issue/${id}` } }
  const found = await ask<{ data?: { issue: { iid: string; projectId: number } | null } }>(api, '', 'POST', {
    json,
    base: '/api/graphql',
  })
  const issue = found.data?.issue
  return issue ? `${issue.projectId}#${issue.iid}` : undefined
}

async function removeHook(api: GitLabApi, id: string): Promise<void> {
  await find(api, `${toProject(api)}/hooks/${id}`, 'DELETE')
}

function judgeHook({ status }: OutboundAnswer): DeliveryFailure | undefined {
  if (status === 403) return new DeliveryFailure('Only a maintainer’s token may add webhooks in GitLab.', { status })
  if (status === 422)
    return new DeliveryFailure('GitLab refused the webhook (422). Is it allowed to call this Earshot?', { status })
  return undefined
}

/** Whether a call was signed within the last five minutes (Standard Webhooks 1.0). */
function isSignedNow(headers: Readonly<Record<string, string | undefined>>, body: Buffer, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp))
  // Also for a time that is no number.
  if (!(ageSeconds <= hookToleranceSeconds)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  return signatures.split(' ').some((signature) => isSame(signature, `v1,${expected}`))
}
