import Type from 'typebox'
import type { FeedbackPriority } from '#contract/feedback.ts'
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { fitText } from '../fit-text.ts'
import { fitBody } from '../issues/fit-body.ts'
import { automaticField, labelField, listLabels } from '../issues/issue-settings.ts'
import { pickStatus } from '../issues/pick-status.ts'
import { type HtmlStyle, readHtml, toHtml } from '../issues/rich-text.ts'
import type { Issue, IssueComment, IssueStatus, Tracker, TrackerApi } from '../issues/tracker.ts'
import { orMissing, readJson } from '../service-answer.ts'

/* Work items of Azure DevOps by its REST API, version 7.1 (https://learn.microsoft.com/rest/api/azure/devops/wit). */

const settings = Type.Object({
  organization: Type.String({
    title: 'Organisation',
    description: 'Address of the organisation, or of a collection of your own server.',
    examples: ['https://dev.azure.com/acme'],
    format: 'uri',
    maxLength: 300,
  }),
  project: Type.String({
    title: 'Project',
    description: 'Name of the project.',
    examples: ['Website'],
    pattern: '^[^/\\\\?#%]+$',
    maxLength: 64,
  }),
  workItemType: Type.Optional(
    Type.String({
      title: 'Work item type',
      description: 'For new work items, such as Bug or User Story. Leave it empty for Issue.',
      examples: ['Issue'],
      pattern: '^[^/\\\\?#%]+$',
      maxLength: 100,
    }),
  ),
  token: Type.String({
    title: 'Personal access token',
    description: 'With the scope “Work Items: Read & write”.',
    pattern: '^[!-~]+$',
    secret: true,
    maxLength: 500,
  }),
  tokenEndsAt: Type.Optional(
    Type.String({
      title: 'Token expires on',
      description: 'The day that Azure DevOps shows beside the token, so that you are warned before it.',
      examples: ['2027-05-31'],
      format: 'date',
      maxLength: 10,
    }),
  ),
  tags: labelField('Tags', 'For new work items, separated by commas.'),
  createAutomatically: automaticField('a work item'),
})

type Settings = Type.Static<typeof settings>
type Api = TrackerApi<Settings>

interface WorkItem {
  readonly id: number
  readonly fields: Readonly<Record<string, string>>
}
interface WorkItemComment {
  readonly id: number
  readonly text: string
  readonly format?: string
  readonly createdBy: { readonly displayName: string }
}
interface State {
  readonly name: string
  readonly category: string
}
interface Request {
  readonly method?: 'POST' | 'PATCH'
  readonly json?: unknown
  readonly isPatch?: boolean
}

const maxLengths = { title: 255, text: 20_000 }
const maxAnswerBytes = 16_000_000
const version = 'api-version=7.1'
const commentsVersion = 'api-version=7.1-preview.4'
const pageSize = 200
const maxPages = 10
const maxChanged = 1000
/** Older work items are not looked for by their marker. */
const searchedMs = 7 * 24 * 3600_000
const style: HtmlStyle = { lineBreak: '<br />', heading: 'h3', paragraph: 'div' }
const shownFields = ['System.Title', 'System.State', 'System.WorkItemType', 'System.TeamProject']
const priorityOf: Readonly<Record<FeedbackPriority, number | null>> = {
  urgent: 1,
  high: 2,
  medium: 3,
  low: 4,
  none: null,
}

const tracker: Tracker<Settings> = {
  markers: 'link',
  takes: ['labels', 'priority', 'assignee'],
  stages: ['todo', 'started', 'done'],

  create: async (api, { title, body, labels, priority, assigneeEmail }) => {
    const type = typeOf(api.settings)
    // A semicolon ends a tag.
    const tags = listLabels(api.settings.tags, labels).map((tag) => tag.replaceAll(';', ' '))
    const fields: Record<string, unknown> = {
      'System.Title': fitText(title, maxLengths.title),
      [bodyField(type)]: toHtml(fitBody(body, maxLengths.text), style),
      'System.Tags': tags.join('; ') || null,
      'Microsoft.VSTS.Common.Priority': priorityOf[priority ?? 'none'],
      'System.AssignedTo': assigneeEmail,
    }
    const path = `/workitems/$${encodeURIComponent(type)}?${version}`
    try {
      return await show(api, await ask<WorkItem>(api, path, toPatch(fields, 'POST')))
    } catch (error) {
      // Nothing tells beforehand whether the organisation knows the address: an unknown one refuses the work item.
      if (!(error instanceof DeliveryFailure) || error.status !== 400 || assigneeEmail === null) throw error
      return show(api, await ask<WorkItem>(api, path, toPatch({ ...fields, 'System.AssignedTo': null }, 'POST')))
    }
  },

  findByMarker: async (api, marker) => {
    const since = new Date(Date.now() - searchedMs)
    const field = bodyField(typeOf(api.settings))
    const ids = await query(api, `[System.CreatedDate] >= '${since.toISOString()}'`, 'System.CreatedDate', pageSize)
    if (ids.length === 0) return undefined
    const path = `/workitems?ids=${ids.join(',')}&fields=${[field, ...shownFields].join(',')}&${version}`
    const { value } = await ask<{ value: WorkItem[] }>(api, path)
    const found = value.find(({ fields }) => fields[field]?.includes(marker))
    return found && show(api, found)
  },

  read: async (api, key) => {
    const item = await findItem(api, key)
    return item && show(api, item)
  },

  listStatuses: (api) => listStatuses(api, typeOf(api.settings)),

  setStage: async (api, key, stage, statusId) => {
    const item = await findItem(api, key)
    const type = item?.fields['System.WorkItemType']
    const status = type === undefined ? undefined : pickStatus(await listStatuses(api, type), stage, statusId)
    if (!item || !status) throw new DeliveryFailure('The work item was deleted meanwhile.')
    if (item.fields['System.State'] !== status.id) {
      await ask(api, `/workitems/${key}?${version}`, toPatch({ 'System.State': status.id }, 'PATCH'))
    }
    return status
  },

  listComments: async (api, key) => {
    const comments: IssueComment[] = []
    let next = ''
    for (let page = 0; page < maxPages; page += 1) {
      const path = `/workItems/${key}/comments?$top=${pageSize}&order=asc${next}&${commentsVersion}`
      const found = await ask<{ comments: WorkItemComment[]; continuationToken?: string }>(api, path)
      comments.push(
        ...found.comments.map(({ id, text, format, createdBy }) => {
          const written = format === 'markdown' ? text : readHtml(text)
          return { id: String(id), author: createdBy.displayName, text: written }
        }),
      )
      if (found.continuationToken === undefined) break
      next = `&continuationToken=${encodeURIComponent(found.continuationToken)}`
    }
    return comments
  },

  addComment: async (api, key, text) => {
    const json = { text: toHtml(fitBody(text, maxLengths.text), style) }
    const path = `/workItems/${key}/comments?format=html&${commentsVersion}`
    return String((await ask<WorkItemComment>(api, path, { method: 'POST', json })).id)
  },

  readReference: ({ organization, project }, text) => {
    const [, own] = /^#?(\d{1,9})$/.exec(text) ?? []
    if (own !== undefined) return own
    const [, place = '', number] = /^(https?:\/\/.+)\/_workitems\/edit\/(\d{1,9})\/?$/.exec(text) ?? []
    const isHere = decodeLower(place) === decodeLower(`${trimSlashes(organization)}/${project}`)
    return isHere ? number : undefined
  },

  // Service hooks of Azure DevOps carry no signature. Changes are polled instead.
  readHook: () => undefined,

  listChanged: async (api, since) => {
    const ids = await query(api, `[System.ChangedDate] >= '${since.toISOString()}'`, 'System.ChangedDate', maxChanged)
    return ids.map(String)
  },
}

export const azureDevops = defineIntegration({
  type: 'azure_devops',
  name: 'Azure DevOps',
  category: 'issues',
  summary: 'Creates work items from feedback. Status and comments stay alike on both sides.',
  guide: 'azure-devops',
  settings,
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.commented'],
  tracker,
  checkSettings: ({ tokenEndsAt }) =>
    tokenEndsAt !== undefined && tokenEndsAt < new Date().toISOString().slice(0, 10)
      ? { tokenEndsAt: 'is in the past' }
      : undefined,
  connect: async (given, { send }) => {
    await listStatuses({ settings: given, send }, typeOf(given))
    // At noon, so that every time zone shows the day that the owner entered.
    const credentialsEndAt = given.tokenEndsAt === undefined ? null : new Date(`${given.tokenEndsAt}T12:00:00Z`)
    return { account: given.project, credentialsEndAt }
  },
})

const stageOf: Readonly<Record<string, IssueStatus['stage']>> = { Proposed: 'todo', InProgress: 'started' }

/** States of a type. Resolved ones count as done before someone has verified them; removed ones count as done, too. */
async function listStatuses(api: Api, type: string): Promise<IssueStatus[]> {
  const { value } = await ask<{ value: State[] }>(api, `/workitemtypes/${encodeURIComponent(type)}/states?${version}`)
  return value.map(({ name, category }) => ({ id: name, name, stage: stageOf[category] ?? 'done' }))
}

async function show(api: Api, { id, fields }: WorkItem): Promise<Issue> {
  const { 'System.Title': title = '', 'System.State': state, 'System.WorkItemType': type = '' } = fields
  const statuses = await listStatuses(api, type)
  const status = statuses.find(({ name }) => name === state) ?? { id: state ?? '', name: state ?? '', stage: 'started' }
  return { key: String(id), label: `#${id}`, title, url: `${addressOf(api.settings)}/_workitems/edit/${id}`, status }
}

/** Undefined: it was deleted, the token may not see it, or it is in another project. */
async function findItem(api: Api, key: string): Promise<WorkItem | undefined> {
  const path = `/workitems/${key}?fields=${shownFields.join(',')}&${version}`
  const item = await orMissing(ask<WorkItem>(api, path))
  return item?.fields['System.TeamProject']?.toLowerCase() === api.settings.project.toLowerCase() ? item : undefined
}

/** Ids of work items of the project, newest first. */
async function query(api: Api, condition: string, order: string, limit: number): Promise<number[]> {
  const wiql = `SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project AND ${condition} ORDER BY [${order}] DESC`
  const path = `/wiql?timePrecision=true&$top=${limit}&${version}`
  const { workItems } = await ask<{ workItems: { id: number }[] }>(api, path, { method: 'POST', json: { query: wiql } })
  return workItems.map(({ id }) => id)
}

/** Bugs show steps to reproduce where others show a description. */
const bodyField = (type: string) =>
  type.toLowerCase() === 'bug' ? 'Microsoft.VSTS.TCM.ReproSteps' : 'System.Description'
const typeOf = ({ workItemType = 'Issue' }: Settings) => workItemType
const trimSlashes = (address: string) => address.replace(/\/+$/, '')
const addressOf = ({ organization, project }: Settings) => `${trimSlashes(organization)}/${encodeURIComponent(project)}`
const decodeLower = (address: string) => address.replaceAll('%20', ' ').toLowerCase()

/** Sets the fields that have a value (https://learn.microsoft.com/rest/api/azure/devops/wit/work-items/create). */
function toPatch(fields: Readonly<Record<string, unknown>>, method: 'POST' | 'PATCH'): Request {
  const given = Object.entries(fields).filter(([, value]) => value !== null)
  return { method, isPatch: true, json: given.map(([name, value]) => ({ op: 'add', path: `/fields/${name}`, value })) }
}

async function ask<Answer>(api: Api, path: string, { method, json, isPatch = false }: Request = {}): Promise<Answer> {
  const credentials = Buffer.from(`:${api.settings.token}`).toString('base64')
  const headers = {
    authorization: `Basic ${credentials}`,
    ...(isPatch && { 'content-type': 'application/json-patch+json' }),
  }
  const answer = await api.send(`${addressOf(api.settings)}/_apis/wit${path}`, {
    method: method ?? 'GET',
    headers,
    maxAnswerBytes,
    judge,
    ...(json !== undefined && { json }),
  })
  return readJson<Answer>(answer, 'Azure DevOps')
}

/** To a token that it does not accept, Azure DevOps may also answer with the page for signing in. */
function judge({ status }: OutboundAnswer): DeliveryFailure | undefined {
  if (status !== 203 && status !== 302) return undefined
  return new DeliveryFailure('Azure DevOps refused the credentials. Connect it again with a new token.', {
    status: 401,
  })
}
