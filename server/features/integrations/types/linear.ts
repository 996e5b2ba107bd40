import { createHmac } from 'node:crypto'
import Type from 'typebox'
import type { FeedbackPriority } from '#contract/feedback.ts'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { isSame } from '../issues/is-same.ts'
import { automaticField, labelField, listLabels } from '../issues/issue-settings.ts'
import type { Stage } from '../issues/merge-stages.ts'
import type { Issue, IssueComment, IssueStatus, Tracker } from '../issues/tracker.ts'
import { orMissing } from '../service-answer.ts'
import { ask, askPages, type LinearApi, type Page, pageInfo } from './linear-api.ts'
import { provideLabels } from './linear-labels.ts'

const settings = Type.Object({
  team: Type.String({
    title: 'Team',
    description: 'The team’s key: the letters before the number of an issue.',
    examples: ['ENG'],
    pattern: '^[A-Za-z0-9]+$',
    maxLength: 20,
  }),
  token: Type.String({
    title: 'Token',
    description: 'A personal API key, or an access token of an OAuth application.',
    examples: ['lin_api_…'],
    pattern: '^[!-~]+$',
    secret: true,
    maxLength: 500,
  }),
  labels: labelField('Labels', 'For new issues, separated by commas.'),
  createAutomatically: automaticField('an issue'),
  apiUrl: Type.Optional(
    Type.String({
      title: 'API address',
      description: 'Of a proxy in front of Linear’s API. Leave it empty to ask Linear itself.',
      examples: ['https://api.linear.app/graphql'],
      format: 'uri',
      maxLength: 500,
    }),
  ),
})

type Settings = Type.Static<typeof settings>

interface State {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly position: number
}
interface LinearIssue {
  readonly id: string
  readonly identifier: string
  readonly title: string
  readonly url: string
  /** In the trash, from which it is deleted after 30 days. */
  readonly trashed: boolean | null
  readonly state: State
}
interface LinearComment {
  readonly id: string
  readonly body: string
  readonly createdAt: string
  readonly user: { readonly name: string } | null
  readonly externalUser: { readonly name: string } | null
  readonly botActor: { readonly name: string | null; readonly userDisplayName: string | null } | null
}

/** Linear asks receivers to refuse older calls. */
const hookToleranceMs = 60_000

const stateFields = 'id name type position'
const issueFields = `id identifier title url trashed state { ${stateFields} }`

/** Types of workflow states in Linear's order, and the stage of each. */
const stageOf: Readonly<Record<string, Stage>> = {
  triage: 'todo',
  backlog: 'todo',
  unstarted: 'todo',
  started: 'started',
  completed: 'done',
  canceled: 'dropped',
  duplicate: 'dropped',
}
const types = Object.keys(stageOf)
/** The type of a stage's first status: issues are opened again for work, not for triage. */
const firstTypeOf: Readonly<Record<Stage, string>> = {
  todo: 'unstarted',
  started: 'started',
  done: 'completed',
  dropped: 'canceled',
}
const priorityOf: Readonly<Record<FeedbackPriority, number>> = { none: 0, urgent: 1, high: 2, medium: 3, low: 4 }

const tracker: Tracker<Settings> = {
  // Linear stores its own form of the text, which keeps no HTML.
  markers: 'link',
  takes: ['labels', 'priority', 'assignee'],
  stages: ['todo', 'started', 'done', 'dropped'],

  create: async (api, { title, body: description, labels: more, priority, assigneeEmail }) => {
    const team = await getTeam(api)
    const assigneeId = assigneeEmail === null ? undefined : await findUser(api, assigneeEmail)
    const input = {
      teamId: team.id,
      title,
      description,
      labelIds: await provideLabels(api, team.id, listLabels(api.settings.labels, more)),
      ...(priority !== null && { priority: priorityOf[priority] }),
      ...(assigneeId !== undefined && { assigneeId }),
    }
    const query = `mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { issue { ${issueFields} } } }`
    return toIssue((await ask<{ issueCreate: { issue: LinearIssue } }>(api, query, { input })).issueCreate.issue)
  },

  findByMarker: async (api, marker) => {
    const query = `query ($filter: IssueFilter!) { issues(first: 1, filter: $filter) { nodes { ${issueFields} } } }`
    const filter = { team: ofTeam(api), description: { contains: marker } }
    const [found] = (await ask<{ issues: { nodes: LinearIssue[] } }>(api, query, { filter })).issues.nodes
    return found && toIssue(found)
  },

  read: async (api, key) => {
    const query = `query ($id: String!) { issue(id: $id) { ${issueFields} } }`
    const found = await orMissing(ask<{ issue: LinearIssue }>(api, query, { id: key }))
    return found && !found.issue.trashed ? toIssue(found.issue) : undefined
  },

  listStatuses: async (api) => sortStates((await getTeam(api)).states.nodes).map(toStatus),

  setStage: async (api, key, stage, statusId) => {
    const query = `query ($id: String!) {
      issue(id: $id) { state { ${stateFields} } team { states(first: 250) { nodes { ${stateFields} } } } }
    }`
    // Of the issue's own team: it may have been moved to another.
    const { issue } = await ask<{ issue: { state: State; team: { states: { nodes: State[] } } } }>(api, query, {
      id: key,
    })
    const fitting = sortStates(issue.team.states.nodes).filter((state) => toStatus(state).stage === stage)
    const current = statusId === undefined ? fitting.find(({ id }) => id === issue.state.id) : undefined
    const wanted = fitting.find(({ id }) => id === statusId) ?? current
    const chosen = wanted ?? fitting.find(({ type }) => type === firstTypeOf[stage]) ?? fitting[0]
    if (!chosen) throw new DeliveryFailure(`The issue’s team has no status of the type “${firstTypeOf[stage]}”.`)
    if (chosen.id === issue.state.id) return toStatus(chosen)
    const change = `mutation ($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success } }`
    await ask(api, change, { id: key, input: { stateId: chosen.id } })
    return toStatus(chosen)
  },

  listComments: async (api, key) => {
    const query = `query ($id: String!, $after: String) {
      issue(id: $id) { comments(first: 100, after: $after) {
        nodes { id body createdAt user { name } externalUser { name } botActor { name userDisplayName } } ${pageInfo}
      } }
    }`
    const comments = await askPages(
      async (after) =>
        (await ask<{ issue: { comments: Page<LinearComment> } }>(api, query, { id: key, after })).issue.comments,
    )
    return comments.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt)).map(toComment)
  },

  addComment: async (api, key, body) => {
    const query = `mutation ($input: CommentCreateInput!) { commentCreate(input: $input) { comment { id } } }`
    const made = await ask<{ commentCreate: { comment: { id: string } } }>(api, query, {
      input: { issueId: key, body },
    })
    return made.commentCreate.comment.id
  },

  readReference: ({ team }, text) => {
    const [, named, number] =
      /^(?:https?:\/\/[^/]+\/[\w-]+\/issue\/)?([A-Za-z0-9]+)-(\d{1,9})(?:\/[^/]*)?$/.exec(text) ?? []
    // The token may reach more: members link issues of the connected team alone.
    return named?.toUpperCase() === team.toUpperCase() ? `${team.toUpperCase()}-${number}` : undefined
  },

  readHook: ({ headers, body }, secret) => {
    const expected = createHmac('sha256', secret).update(body).digest('hex')
    if (!isSame(headers['linear-signature'], expected)) return undefined
    // Of a signed call, only what is looked up again is read.
    const { type, data, webhookTimestamp } = JSON.parse(body.toString()) as {
      type?: unknown
      data?: { id?: unknown; identifier?: unknown; issueId?: unknown }
      webhookTimestamp?: unknown
    }
    const ageMs = typeof webhookTimestamp === 'number' ? Math.abs(Date.now() - webhookTimestamp) : Infinity
    const id = headers['linear-delivery']
    if (id === undefined || ageMs > hookToleranceMs) return undefined
    const named = type === 'Issue' ? [data?.id, data?.identifier] : [data?.issueId]
    return { id, issueKeys: named.filter((key) => typeof key === 'string') }
  },

  hooks: {
    register: async (api, { url, secret }) => {
      const list = `query { webhooks(first: 250) { nodes { id url } } }`
      const { webhooks } = await ask<{ webhooks: { nodes: { id: string; url: string | null }[] } }>(api, list)
      for (const former of webhooks.nodes.filter((hook) => hook.url === url)) await removeHook(api, former.id)
      const query = `mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { webhook { id } } }`
      const input = {
        url,
        secret,
        label: 'Earshot',
        teamId: (await getTeam(api)).id,
        resourceTypes: ['Issue', 'Comment'],
      }
      const made = await ask<{ webhookCreate: { webhook: { id: string } } }>(api, query, { input })
      return { id: made.webhookCreate.webhook.id, endsAt: null }
    },
    remove: removeHook,
  },

  listChanged: async (api, since) => {
    const updatedAt = { gte: since.toISOString() }
    const issues = `query ($filter: IssueFilter!, $after: String) {
      issues(first: 250, orderBy: updatedAt, after: $after, filter: $filter) { nodes { id identifier } ${pageInfo} }
    }`
    const changed = await askPages(async (after) => {
      const variables = { after, filter: { team: ofTeam(api), updatedAt } }
      return (await ask<{ issues: Page<LinearIssue> }>(api, issues, variables)).issues
    })
    // A comment is no change of its issue.
    const comments = `query ($filter: CommentFilter!, $after: String) {
      comments(first: 100, after: $after, filter: $filter) { nodes { issue { id identifier } } ${pageInfo} }
    }`
    const commented = await askPages(async (after) => {
      const variables = { after, filter: { issue: { team: ofTeam(api) }, updatedAt } }
      return (await ask<{ comments: Page<{ issue: LinearIssue | null }> }>(api, comments, variables)).comments
    })
    const all = [...changed, ...commented.flatMap(({ issue }) => issue ?? [])]
    return [...new Set(all.flatMap(({ id, identifier }) => [id, identifier]))]
  },
}

export const linear = defineIntegration({
  type: 'linear',
  name: 'Linear',
  category: 'issues',
  summary: 'Creates issues from feedback. Status and comments stay alike on both sides.',
  guide: 'linear',
  settings,
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.commented'],
  // The secret of the webhook that Linear calls.
  isSigned: true,
  tracker,
  connect: async (given, { send }) => {
    const { name, organization } = await getTeam({ settings: given, send })
    return { account: `${organization.name}: ${name}`, credentialsEndAt: null }
  },
})

const ofTeam = ({ settings: { team } }: LinearApi) => ({ key: { eq: team.toUpperCase() } })

async function getTeam(api: LinearApi) {
  const query = `query ($filter: TeamFilter!) {
    teams(first: 1, filter: $filter) { nodes { id name states(first: 250) { nodes { ${stateFields} } } } }
    organization { name }
  }`
  interface Found {
    readonly teams: { readonly nodes: { id: string; name: string; states: { nodes: State[] } }[] }
    readonly organization: { readonly name: string }
  }
  const { teams, organization } = await ask<Found>(api, query, { filter: ofTeam(api) })
  const [team] = teams.nodes
  if (!team) throw new DeliveryFailure(`Linear has no team with the key “${api.settings.team}” that the token reaches.`)
  return { ...team, organization }
}

async function findUser(api: LinearApi, email: string): Promise<string | undefined> {
  const query = `query ($email: String!) { users(first: 1, filter: { email: { eqIgnoreCase: $email } }) { nodes { id } } }`
  return (await ask<{ users: { nodes: { id: string }[] } }>(api, query, { email })).users.nodes[0]?.id
}

async function removeHook(api: LinearApi, id: string): Promise<void> {
  await orMissing(ask(api, `mutation ($id: String!) { webhookDelete(id: $id) { success } }`, { id }))
}

function sortStates(states: readonly State[]): State[] {
  return states.toSorted((a, b) => types.indexOf(a.type) - types.indexOf(b.type) || a.position - b.position)
}

/** Types that a later version of Linear adds count as not started. */
const toStatus = ({ id, name, type }: State): IssueStatus => ({ id, name, stage: stageOf[type] ?? 'todo' })

function toIssue({ id, identifier, title, url, state }: LinearIssue): Issue {
  return { key: id, label: identifier, title, url, status: toStatus(state) }
}

function toComment({ id, body: text, user, externalUser, botActor }: LinearComment): IssueComment {
  const author = user?.name ?? externalUser?.name ?? botActor?.userDisplayName ?? botActor?.name ?? 'Linear'
  return { id, author, text }
}
