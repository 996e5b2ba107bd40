import { createHmac, timingSafeEqual } from 'node:crypto'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { listLabels } from '../issues/issue-settings.ts'
import type { Stage } from '../issues/merge-stages.ts'
import type { Issue, IssueComment, IssueStatus, Tracker } from '../issues/tracker.ts'
import { orMissing } from '../service-answer.ts'
import { readDocument, writeDocument } from './atlassian-document.ts'
import {
  ask,
  isNamed,
  type JiraApi,
  type JiraComment,
  type JiraHook,
  type JiraIssue,
  type JiraSettings,
  type JiraStatus,
  type JiraTransition,
  jiraSettings,
  maxPages,
  pageSize,
  readProject,
  readSite,
  search,
} from './jira-api.ts'
import {
  choosePriority,
  fillScreen,
  findAccount,
  listUnfillable,
  readCreateScreen,
  readTypeName,
} from './jira-screens.ts'

const hookPath = '/rest/webhooks/1.0/webhook'
const hookEvents = ['jira:issue_updated', 'jira:issue_deleted', 'comment_created']

const tracker: Tracker<JiraSettings> = {
  markers: 'link',
  takes: ['labels', 'priority', 'assignee'],
  stages: ['todo', 'started', 'done'],

  create: async (api, { title, body, labels: more, priority, assigneeEmail }) => {
    const { typeId, fields } = await readCreateScreen(api)
    // Labels of Jira have no spaces.
    const labels = [
      ...new Set(listLabels(api.settings.labels, more).map((label) => label.replace(/\s+/g, '-').slice(0, 255))),
    ]
    const priorityId = choosePriority(fields.priority?.allowedValues ?? [], priority)
    const accountId = assigneeEmail !== null && fields.assignee ? await findAccount(api, assigneeEmail) : undefined
    const created = await ask<{ id: string }>(api, '/rest/api/3/issue', 'POST', {
      fields: {
        project: { key: readProject(api) },
        issuetype: { id: typeId },
        summary: title,
        ...(fields.description && { description: writeDocument(body) }),
        ...(fields.labels && labels.length > 0 && { labels }),
        ...(priorityId !== undefined && { priority: { id: priorityId } }),
        ...(accountId !== undefined && { assignee: { id: accountId } }),
      },
    })
    return toIssue(api, await readIssue(api, created.id))
  },

  // The search may lag some seconds behind. So does the next attempt.
  findByMarker: async (api, marker) => {
    const jql = `project = "${readProject(api)}" AND created >= -2d ORDER BY created DESC`
    const issues = await search(api, jql, ['summary', 'status', 'description'])
    const found = issues.find(({ fields }) => JSON.stringify(fields.description ?? '').includes(marker))
    return found && toIssue(api, found)
  },

  read: async (api, key) => {
    const issue = await orMissing(readIssue(api, key))
    return issue && toIssue(api, issue)
  },

  listStatuses: async (api) => {
    const path = `/rest/api/3/project/${readProject(api)}/statuses`
    const types = await ask<{ name: string; statuses: JiraStatus[] }[]>(api, path)
    const own = types.filter(({ name }) => isNamed(name, readTypeName(api)))
    const statuses = (own.length > 0 ? own : types).flatMap((type) => type.statuses)
    return [...new Map(statuses.map((status) => [status.id, toStatus(status)])).values()]
  },

  setStage: async (api, key, stage, statusId) => {
    const now = toStatus((await readIssue(api, key)).fields.status)
    if (now.stage === stage && (statusId === undefined || now.id === statusId)) return now
    const path = `/rest/api/3/issue/${encodeURIComponent(key)}/transitions`
    const { transitions } = await ask<{ transitions: JiraTransition[] }>(api, `${path}?expand=transitions.fields`)
    const fitting = transitions.filter(({ to, isAvailable }) => isAvailable !== false && toStatus(to).stage === stage)
    const chosen = fitting.find(({ to }) => to.id === statusId) ?? fitting[0]
    // A named status that can't be reached from here is no reason to move it elsewhere within the stage.
    if (now.stage === stage && chosen?.to.id !== statusId) return now
    if (!chosen) {
      const sentence = `Jira’s workflow has no transition from “${now.name}” to a status of the category “${categoryNames[stage]}”.`
      throw new DeliveryFailure(`${sentence} Add one, or move the issue in Jira.`, { kind: 'refused' })
    }
    const fields = fillScreen(chosen)
    await ask(api, path, 'POST', { transition: { id: chosen.id }, ...(fields && { fields }) })
    return toStatus(chosen.to)
  },

  listComments: async (api, key) => {
    const comments: IssueComment[] = []
    for (let page = 0; page < maxPages; page += 1) {
      const query = `orderBy=created&startAt=${page * pageSize}&maxResults=${pageSize}`
      const path = `/rest/api/3/issue/${encodeURIComponent(key)}/comment?${query}`
      const found = (await ask<{ comments: JiraComment[] }>(api, path)).comments
      // Those for some roles of Jira are not for every member of Earshot.
      const open = found.filter(({ visibility }) => visibility === undefined)
      comments.push(
        ...open.map(({ id, author, body }) => ({
          id,
          author: author?.displayName ?? 'Former user',
          text: readDocument(body),
        })),
      )
      if (found.length < pageSize) break
    }
    return comments
  },

  addComment: async (api, key, text) => {
    const body = writeDocument(text)
    const path = `/rest/api/3/issue/${encodeURIComponent(key)}/comment`
    return (await ask<{ id: string }>(api, path, 'POST', { body })).id
  },

  readReference: ({ site, project }, text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url && url.host !== new URL(site).host) return undefined
    const [, key = '', prefix = ''] = /^(?:\/browse\/)?(([A-Za-z]\w+)-\d{1,9})$/.exec(url ? url.pathname : text) ?? []
    // The token may reach more: members link issues of the connected project alone.
    return prefix.toUpperCase() === project.toUpperCase() ? key.toUpperCase() : undefined
  },

  readHook: ({ headers, body }, secret) => {
    const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const given = headers['x-hub-signature'] ?? ''
    if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected)))
      return undefined
    const id = headers['x-atlassian-webhook-identifier']
    if (id === undefined) return undefined
    // Of a signed call, only what is looked up again is read.
    const { issue } = JSON.parse(body.toString()) as { issue?: { id?: unknown; key?: unknown } }
    // A link to an existing issue has its key until it is first read.
    return { id, issueKeys: [issue?.id, issue?.key].filter((each) => typeof each === 'string') }
  },

  // Webhooks of administrators: those of apps need OAuth, and are not signed.
  hooks: {
    register: async (api, { url, secret }) => {
      const hooks = await ask<JiraHook[]>(api, hookPath)
      const [former, ...more] = hooks.filter((hook) => hook.url === url).map(readHookId)
      const hook = {
        name: 'Earshot',
        url,
        events: hookEvents,
        filters: { 'issue-related-events-section': `project = "${readProject(api)}"` },
        excludeBody: false,
        secret,
      }
      if (former !== undefined) await ask(api, `${hookPath}/${former}`, 'PUT', hook)
      const id = former ?? readHookId(await ask<JiraHook>(api, hookPath, 'POST', hook))
      for (const each of more) await ask(api, `${hookPath}/${each}`, 'DELETE')
      return { id: `${readSite(api)}#${id}`, endsAt: null }
    },

    remove: async (api, hookId) => {
      const [site, id] = hookId.split('#')
      // The token is for one site, and sent to no other.
      if (site !== readSite(api)) return
      try {
        await ask(api, `${hookPath}/${id}`, 'DELETE')
      } catch (error) {
        if (!(error instanceof DeliveryFailure) || error.status !== 404) throw error
      }
    },
  },

  listChanged: async (api, since) => {
    // Minutes ago, because times in JQL are in the time zone of the account.
    const minutes = Math.max(1, Math.ceil((Date.now() - since.getTime()) / 60_000) + 1)
    const jql = `project = "${readProject(api)}" AND updated >= -${minutes}m ORDER BY updated ASC`
    return (await search(api, jql, ['updated'])).map(({ id }) => id)
  },
}

export const jira = defineIntegration({
  type: 'jira',
  name: 'Jira',
  category: 'issues',
  summary: 'Creates issues from feedback. Status and comments stay alike on both sides.',
  guide: 'jira',
  settings: jiraSettings,
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.commented'],
  // The secret of the webhook that Jira calls.
  isSigned: true,
  tracker,
  checkSettings: ({ tokenEndsAt }) =>
    tokenEndsAt !== undefined && tokenEndsAt < new Date().toISOString().slice(0, 10)
      ? { tokenEndsAt: 'is in the past' }
      : undefined,
  connect: async (given, { send }) => {
    const api = { settings: given, send }
    const found = await readProjectName(api)
    const { fields } = await readCreateScreen(api)
    const missing = listUnfillable(fields).map((name) => `“${name}”`)
    if (missing.length > 0) {
      const sentence = `Jira requires ${missing.join(', ')} in a new ${readTypeName(api)}, which Earshot can’t fill.`
      throw new DeliveryFailure(`${sentence} Use another issue type, or make it optional.`)
    }
    // At noon, so that every time zone shows the day that the owner entered.
    const credentialsEndAt = given.tokenEndsAt === undefined ? null : new Date(`${given.tokenEndsAt}T12:00:00Z`)
    return { account: `${found.name} (${found.key})`, credentialsEndAt }
  },
})

async function readProjectName(api: JiraApi): Promise<{ key: string; name: string }> {
  try {
    return await ask(api, `/rest/api/3/project/${readProject(api)}`)
  } catch (error) {
    if (!(error instanceof DeliveryFailure) || error.status !== 404) throw error
    const sentence = `Jira has no project “${readProject(api)}” that this account can see.`
    throw new DeliveryFailure(sentence, { status: 404 })
  }
}

const categoryNames: Readonly<Record<Stage, string>> = {
  todo: 'To do',
  started: 'In progress',
  done: 'Done',
  dropped: 'Done',
}

function toStatus({ id, name, statusCategory: { key } }: JiraStatus): IssueStatus {
  return { id, name, stage: key === 'done' ? 'done' : key === 'indeterminate' ? 'started' : 'todo' }
}

/** The id stays when an issue moves to another project, where it gets another key. */
function toIssue(api: JiraApi, { id, key, fields: { summary, status } }: JiraIssue): Issue {
  return { key: id, label: key, title: summary, url: `${readSite(api)}/browse/${key}`, status: toStatus(status) }
}

const readHookId = ({ self }: JiraHook) => /\d+$/.exec(self)?.[0] ?? ''

function readIssue(api: JiraApi, key: string): Promise<JiraIssue> {
  return ask<JiraIssue>(api, `/rest/api/3/issue/${encodeURIComponent(key)}?fields=summary,status`)
}
