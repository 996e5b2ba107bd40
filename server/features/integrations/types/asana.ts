import Type from 'typebox'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { fitText } from '../fit-text.ts'
import { fitBody } from '../issues/fit-body.ts'
import { automaticField, labelField, listLabels } from '../issues/issue-settings.ts'
import { pickStatus, readStage } from '../issues/pick-status.ts'
import { type HtmlStyle, readHtml, toHtml } from '../issues/rich-text.ts'
import type { Issue, IssueComment, IssueStatus, Tracker, TrackerApi } from '../issues/tracker.ts'
import { orMissing, readJson } from '../service-answer.ts'

/* Asana by its REST API, version 1.0 (https://developers.asana.com/reference/rest-api-reference). */

const asanaApi = 'https://app.asana.com/api/1.0'

const settings = Type.Object({
  project: Type.String({
    title: 'Project',
    description: 'Address of the project.',
    examples: ['https://app.asana.com/0/1201234567890123/board'],
    pattern: '^(https://app\\.asana\\.com/(0|1/\\d+/project)/)?\\d{1,20}(/.*)?$',
    maxLength: 300,
  }),
  token: Type.String({
    title: 'Personal access token',
    description: 'From app.asana.com/0/my-apps, of someone who may edit the project.',
    pattern: '^[!-~]+$',
    secret: true,
    maxLength: 500,
  }),
  tags: labelField('Tags', 'For new tasks, separated by commas. Missing ones are created.'),
  createAutomatically: automaticField('a task'),
  apiUrl: Type.Optional(
    Type.String({
      title: 'API address',
      description: 'Change it only if requests to Asana go through a proxy.',
      examples: [asanaApi],
      format: 'uri',
      maxLength: 300,
    }),
  ),
})

type Settings = Type.Static<typeof settings>
type Api = TrackerApi<Settings>

interface Named {
  readonly gid: string
  readonly name: string
}
interface AsanaTask extends Named {
  readonly html_notes?: string
  readonly permalink_url: string
  readonly completed: boolean
  readonly memberships: readonly { readonly project: { gid: string }; readonly section: { gid: string } | null }[]
}
interface AsanaStory {
  readonly gid: string
  readonly resource_subtype: string
  readonly html_text: string
  /** Null once the account is deleted. */
  readonly created_by: { readonly name: string } | null
}

const maxLengths = { name: 1000, text: 20_000 }
const maxAnswerBytes = 8_000_000
const pageSize = 50
const maxPages = 20
/** Older tasks are not looked for by their marker. */
const searchedMs = 7 * 24 * 3600_000
const style: HtmlStyle = { lineBreak: '\n', heading: 'h2' }
const taskFields = 'name,permalink_url,completed,memberships.project.gid,memberships.section.gid'

const tracker: Tracker<Settings> = {
  markers: 'link',
  takes: ['labels', 'assignee'],
  stages: ['todo', 'started', 'done'],

  create: async (api, { title, body, labels, assigneeEmail }) => {
    const { workspace } = await findProject(api)
    const assignee = assigneeEmail === null ? undefined : await findUser(api, workspace.gid, assigneeEmail)
    const task = {
      name: fitText(title, maxLengths.name),
      html_notes: writeText(body),
      projects: [projectOf(api.settings)],
      tags: await findTags(api, workspace.gid, labels),
      ...(assignee !== undefined && { assignee }),
    }
    const made = await ask<AsanaTask>(api, `/tasks?opt_fields=${taskFields}`, 'POST', task)
    return toIssue(made, projectOf(api.settings), await listStatuses(api))
  },

  findByMarker: async (api, marker) => {
    const since = new Date(Date.now() - searchedMs)
    const tasks = await list<AsanaTask>(api, `${changedSince(api, since)}&opt_fields=html_notes,${taskFields}`)
    const found = tasks.find((task) => task.html_notes?.includes(marker))
    return found && toIssue(found, projectOf(api.settings), await listStatuses(api))
  },

  read: async (api, key) => {
    const project = projectOf(api.settings)
    const task = await findTask(api, key)
    const isHere = task?.memberships.some((membership) => membership.project.gid === project)
    return task && isHere ? toIssue(task, project, await listStatuses(api)) : undefined
  },

  listStatuses: (api) => listStatuses(api),

  setStage: async (api, key, stage, statusId) => {
    const statuses = await listStatuses(api)
    const status = pickStatus(statuses, stage, statusId)
    const task = await findTask(api, key)
    if (!status || !task) throw new DeliveryFailure('The task was deleted meanwhile.')
    // Without a change, the task is not listed as modified.
    if (toIssue(task, projectOf(api.settings), statuses).status.id === status.id) return status
    if (status !== completed) await ask(api, `/sections/${status.id}/addTask`, 'POST', { task: key })
    await ask(api, `/tasks/${key}`, 'PUT', { completed: status.stage === 'done' })
    return status
  },

  listComments: async (api, key) => {
    const fields = 'opt_fields=resource_subtype,html_text,created_by.name'
    const stories = await list<AsanaStory>(api, `/tasks/${key}/stories?${fields}`)
    const comments = stories.filter((story) => story.resource_subtype === 'comment_added')
    return comments.map(({ gid: id, html_text: html, created_by: author }): IssueComment => {
      return { id, author: author?.name ?? 'Former member', text: readHtml(html) }
    })
  },

  addComment: async (api, key, text) =>
    (await ask<Named>(api, `/tasks/${key}/stories`, 'POST', { html_text: writeText(text) })).gid,

  // That a task is in the connected project shows when it is read.
  readReference: (_, text) =>
    /^(?:https:\/\/app\.asana\.com\/(?:0\/\d+|1\/\d+\/project\/\d+\/task)\/)?(\d{3,20})(?:[/?].*)?$/.exec(text)?.[1],

  // Asana chooses the secret by which it signs its calls. Changes are polled instead.
  readHook: () => undefined,

  listChanged: async (api, since) => {
    const tasks = await list<Named>(api, `${changedSince(api, since)}&opt_fields=gid`)
    return tasks.map(({ gid }) => gid)
  },
}

export const asana = defineIntegration({
  type: 'asana',
  name: 'Asana',
  category: 'issues',
  summary: 'Creates tasks from feedback. Status and comments stay alike on both sides.',
  guide: 'asana',
  settings,
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.commented'],
  tracker,
  connect: async (given, { send }) => ({ account: (await findProject({ settings: given, send })).name }),
})

/** Of a task that is in no section for finished work. */
const completed: IssueStatus = { id: 'completed', name: 'Completed', stage: 'done' }

/** The sections of the project, in its order. */
async function listStatuses(api: Api): Promise<IssueStatus[]> {
  const sections = await list<Named>(api, `/projects/${projectOf(api.settings)}/sections?opt_fields=name`)
  const statuses = sections.map(
    ({ gid, name }, at): IssueStatus => ({ id: gid, name, stage: readStage(name, at === 0) }),
  )
  return [...statuses, completed]
}

function toIssue(task: AsanaTask, project: string, statuses: readonly IssueStatus[]): Issue {
  const { gid: key, name: title, permalink_url: url } = task
  const section = task.memberships.find((membership) => membership.project.gid === project)?.section
  const place = statuses.find(({ id }) => id === section?.gid) ?? statuses[0] ?? completed
  const status = task.completed && place.stage !== 'done' ? completed : place
  return { key, label: `#${key}`, title, url, status }
}

const findProject = (api: Api) =>
  ask<Named & { workspace: Named }>(api, `/projects/${projectOf(api.settings)}?opt_fields=name,workspace.gid`)

const findTask = (api: Api, key: string) => orNothing(ask<AsanaTask>(api, `/tasks/${key}?opt_fields=${taskFields}`))

/** Whose address it is, if they work in the workspace. */
async function findUser(api: Api, workspace: string, email: string): Promise<string | undefined> {
  const path = `/users/${encodeURIComponent(email)}?opt_fields=workspaces.gid`
  const user = await orNothing(ask<Named & { workspaces: readonly Named[] }>(api, path))
  return user?.workspaces.some(({ gid }) => gid === workspace) ? user.gid : undefined
}

/** Ids of tags by their names; missing ones are created. */
async function findTags(api: Api, workspace: string, more: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of listLabels(api.settings.tags, more)) {
    const query = `resource_type=tag&count=100&opt_fields=name&query=${encodeURIComponent(name)}`
    const tags = await ask<Named[]>(api, `/workspaces/${workspace}/typeahead?${query}`)
    const found = tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase())
    ids.push((found ?? (await ask<Named>(api, '/tags', 'POST', { name, workspace }))).gid)
  }
  return ids
}

const changedSince = ({ settings: given }: Api, since: Date) =>
  `/tasks?project=${projectOf(given)}&modified_since=${since.toISOString()}`

const projectOf = ({ project }: Settings) => /(?:^|\/(?:0|project)\/)(\d+)/.exec(project)?.[1] ?? project
const writeText = (markdown: string) => `<body>${toHtml(fitBody(markdown, maxLengths.text), style)}</body>`

/** Undefined: it was deleted, or the token may not see it. */
const orNothing = <Answer>(asked: Promise<Answer>) => orMissing(asked, [403, 404])

/** All pages of a list. */
async function list<Entry>(api: Api, path: string): Promise<Entry[]> {
  const entries: Entry[] = []
  let offset = ''
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await request<Entry[]>(api, `${path}&limit=${pageSize}${offset}`)
    entries.push(...answer.data)
    if (!answer.next_page) break
    offset = `&offset=${encodeURIComponent(answer.next_page.offset)}`
  }
  return entries
}

async function ask<Answer>(api: Api, path: string, method: 'GET' | 'POST' | 'PUT' = 'GET', data?: object) {
  return (await request<Answer>(api, path, method, data)).data
}

async function request<Answer>(
  { settings: { token, apiUrl = asanaApi }, send }: Api,
  path: string,
  method: 'GET' | 'POST' | 'PUT' = 'GET',
  data?: object,
): Promise<{ data: Answer; next_page?: { offset: string } | null }> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const options = { method, headers, maxAnswerBytes, ...(data !== undefined && { json: { data } }) }
  const answer = await send(`${apiUrl.replace(/\/$/, '')}${path}`, options)
  return readJson(answer, 'Asana')
}
