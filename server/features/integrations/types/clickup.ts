import Type from 'typebox'
import type { FeedbackPriority } from '#contract/feedback.ts'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { fitText } from '../fit-text.ts'
import { fitBody } from '../issues/fit-body.ts'
import { automaticField, labelField, listLabels } from '../issues/issue-settings.ts'
import { pickStatus } from '../issues/pick-status.ts'
import type { Issue, IssueComment, IssueStatus, Tracker, TrackerApi } from '../issues/tracker.ts'
import { orMissing, readJson } from '../service-answer.ts'

/* ClickUp by its REST API, version 2 (https://developer.clickup.com/reference). */

const clickUpApi = 'https://api.clickup.com/api/v2'

const settings = Type.Object({
  list: Type.String({
    title: 'List',
    description: 'Address of the list, or the number in it.',
    examples: ['https://app.clickup.com/9008/v/li/901100123456'],
    pattern: '^(https://app\\.clickup\\.com/\\d+/v/(l/)?(li/|6-))?\\d{3,20}([-/?].*)?$',
    maxLength: 300,
  }),
  token: Type.String({
    title: 'API token',
    description: 'From ClickUp’s settings, page “API”, of someone who may edit the list.',
    examples: ['pk_…'],
    pattern: '^[!-~]+$',
    secret: true,
    maxLength: 500,
  }),
  tags: labelField('Tags', 'For new tasks, separated by commas.'),
  createAutomatically: automaticField('a task'),
  apiUrl: Type.Optional(
    Type.String({
      title: 'API address',
      description: 'Change it only if requests to ClickUp go through a proxy.',
      examples: [clickUpApi],
      format: 'uri',
      maxLength: 300,
    }),
  ),
})

type Settings = Type.Static<typeof settings>
type Api = TrackerApi<Settings>

interface ClickUpStatus {
  readonly status: string
  readonly type: string
}
interface ClickUpTask {
  readonly id: string
  readonly custom_id: string | null
  readonly name: string
  readonly markdown_description?: string | null
  readonly status: ClickUpStatus
  readonly url: string
  readonly list: { readonly id: string }
}
interface ClickUpComment {
  readonly id: string | number
  readonly comment_text: string
  readonly user: { readonly username: string }
  /** Milliseconds since 1970. */
  readonly date: string
}

const maxLengths = { name: 500, text: 50_000 }
const maxAnswerBytes = 16_000_000
const commentsPerPage = 25
const maxPages = 20
/** Older tasks are not looked for by their marker. */
const searchedMs = 7 * 24 * 3600_000
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
    const task = {
      name: fitText(title, maxLengths.name),
      markdown_content: fitBody(body, maxLengths.text),
      tags: listLabels(api.settings.tags, labels),
      priority: priorityOf[priority ?? 'none'],
      assignees: assigneeEmail === null ? [] : await findMembers(api, assigneeEmail),
    }
    return toIssue(await ask<ClickUpTask>(api, `/list/${listOf(api.settings)}/task`, 'POST', task))
  },

  findByMarker: async (api, marker) => {
    const query = `include_markdown_description=true&date_created_gt=${Date.now() - searchedMs}`
    const tasks = await listTasks(api, query)
    const found = tasks.find((task) => task.markdown_description?.includes(marker))
    return found && toIssue(found)
  },

  read: async (api, key) => {
    const task = await findTask(api, key)
    return task && toIssue(task)
  },

  listStatuses: (api) => listStatuses(api),

  setStage: async (api, key, stage, statusId) => {
    const status = pickStatus(await listStatuses(api), stage, statusId)
    const task = await findTask(api, key)
    if (!status || !task) throw new DeliveryFailure('The task was deleted meanwhile.')
    // Without a change, the task is not listed as updated.
    if (task.status.status !== status.id) await ask(api, `/task/${key}`, 'PUT', { status: status.id })
    return status
  },

  listComments: async (api, key) => {
    const comments: ClickUpComment[] = []
    let before = ''
    for (let page = 0; page < maxPages; page += 1) {
      const { comments: found } = await ask<{ comments: ClickUpComment[] }>(api, `/task/${key}/comment${before}`)
      comments.push(...found)
      const last = found.at(-1)
      if (!last || found.length < commentsPerPage) break
      before = `?start=${last.date}&start_id=${last.id}`
    }
    return comments.reverse().map(({ id, user, comment_text: text }): IssueComment => {
      return { id: String(id), author: user.username, text }
    })
  },

  addComment: async (api, key, text) => {
    const comment = { comment_text: writePlain(fitBody(text, maxLengths.text)), notify_all: false }
    return String((await ask<{ id: string | number }>(api, `/task/${key}/comment`, 'POST', comment)).id)
  },

  // That a task is in the connected list shows when it is read.
  readReference: (_, text) =>
    /^(?:https:\/\/app\.clickup\.com\/t\/|#)?((?=[a-z]*\d)[a-z\d]{5,20})(?:[/?].*)?$/.exec(text)?.[1],

  // ClickUp chooses the secret by which it signs its calls. Changes are polled instead.
  readHook: () => undefined,

  listChanged: async (api, since) => {
    const tasks = await listTasks(api, `date_updated_gt=${since.getTime()}`)
    return tasks.map(({ id }) => id)
  },
}

export const clickup = defineIntegration({
  type: 'clickup',
  name: 'ClickUp',
  category: 'issues',
  summary: 'Creates tasks from feedback. Status and comments stay alike on both sides.',
  guide: 'clickup',
  settings,
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.commented'],
  tracker,
  connect: async (given, { send }) => {
    const { name } = await ask<{ name: string }>({ settings: given, send }, `/list/${listOf(given)}`)
    return { account: name }
  },
})

const stageOf: Readonly<Record<string, IssueStatus['stage']>> = {
  open: 'todo',
  unstarted: 'todo',
  done: 'done',
  closed: 'done',
}

/** ClickUp names statuses alone: a renamed one is another. */
function toStatus({ status, type }: ClickUpStatus): IssueStatus {
  return { id: status, name: status, stage: stageOf[type] ?? 'started' }
}

async function listStatuses(api: Api): Promise<IssueStatus[]> {
  const { statuses } = await ask<{ statuses: ClickUpStatus[] }>(api, `/list/${listOf(api.settings)}`)
  return statuses.map(toStatus)
}

function toIssue({ id: key, custom_id: number, name: title, status, url }: ClickUpTask): Issue {
  return { key, label: `#${number ?? key}`, title, url, status: toStatus(status) }
}

/** Undefined: it was deleted, the token may not see it, or it is in another list. */
async function findTask(api: Api, key: string): Promise<ClickUpTask | undefined> {
  const task = await orMissing(ask<ClickUpTask>(api, `/task/${key}`))
  return task?.list.id === listOf(api.settings) ? task : undefined
}

async function listTasks(api: Api, query: string): Promise<ClickUpTask[]> {
  const tasks: ClickUpTask[] = []
  for (let page = 0; page < maxPages; page += 1) {
    const path = `/list/${listOf(api.settings)}/task?include_closed=true&subtasks=true&page=${page}&${query}`
    const found = await ask<{ tasks: ClickUpTask[]; last_page?: boolean }>(api, path)
    tasks.push(...found.tasks)
    if (found.tasks.length === 0 || found.last_page !== false) break
  }
  return tasks
}

/** Ids of members of the list with the address: one, or none. */
async function findMembers(api: Api, email: string): Promise<number[]> {
  const { members } = await ask<{ members: { id: number; email: string }[] }>(
    api,
    `/list/${listOf(api.settings)}/member`,
  )
  return members.filter((member) => member.email.toLowerCase() === email.toLowerCase()).map(({ id }) => id)
}

const listOf = ({ list }: Settings) => /(?:^|\/li\/|\/6-)(\d+)/.exec(list)?.[1] ?? list

/** Comments take no Markdown: the name is no longer bold, and the link back is its address. */
function writePlain(comment: string): string {
  return comment.replace(/^\*\*(.*?:)\*\*/, '$1').replace(/\[Earshot\]\((\S+)\)$/, '$1')
}

async function ask<Answer>(
  { settings: { token, apiUrl = clickUpApi }, send }: Api,
  path: string,
  method: 'GET' | 'POST' | 'PUT' = 'GET',
  json?: unknown,
): Promise<Answer> {
  const options = {
    method,
    headers: { authorization: token },
    maxAnswerBytes,
    judge,
    ...(json !== undefined && { json }),
  }
  const answer = await send(`${apiUrl.replace(/\/$/, '')}${path}`, options)
  return readJson<Answer>(answer, 'ClickUp')
}

/** ClickUp answers 401 also for a task or list of a workspace that a valid token may not see. */
function judge({ status, body }: { status: number; body: Buffer }): DeliveryFailure | undefined {
  if (status !== 401 || !/"OAUTH_02[367]"/.test(body.toString())) return undefined
  return new DeliveryFailure('The token may not see this list or task.', { status: 404 })
}
