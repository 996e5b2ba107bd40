import { checkDocument } from './check-atlassian-document.ts'
import { type JiraHook, type JiraSite, projectKey, Refused, resolutions, statuses, users } from './jira-site.ts'

/* Operations of Jira's REST API that Earshot calls. What their documentation does not allow is refused. */

type Body = Readonly<Record<string, unknown>>
interface Asked {
  readonly query: URLSearchParams
  readonly body: Body
  /** Groups of the address. */
  readonly parts: readonly string[]
}
export type Route = readonly [method: string, pattern: RegExp, handle: (asked: Asked) => unknown]

const priorities = ['Highest', 'High', 'Medium', 'Low', 'Lowest'].map((name, at) => ({ id: String(at + 1), name }))
const types = [
  { id: '10002', name: 'Task', subtask: false },
  { id: '10004', name: 'Incident', subtask: false },
]
const createFields = [
  { fieldId: 'project', name: 'Project', required: true, hasDefaultValue: false },
  { fieldId: 'issuetype', name: 'Issue Type', required: true, hasDefaultValue: false },
  { fieldId: 'summary', name: 'Summary', required: true, hasDefaultValue: false },
  { fieldId: 'reporter', name: 'Reporter', required: true, hasDefaultValue: true },
  { fieldId: 'description', name: 'Description', required: false, hasDefaultValue: false },
  { fieldId: 'labels', name: 'Labels', required: false, hasDefaultValue: false },
  { fieldId: 'assignee', name: 'Assignee', required: false, hasDefaultValue: false },
  { fieldId: 'priority', name: 'Priority', required: false, hasDefaultValue: true, allowedValues: priorities },
]
const severity = { fieldId: 'customfield_10050', name: 'Severity', required: true, hasDefaultValue: false }

export function listRoutes(site: JiraSite): readonly Route[] {
  return [...projectRoutes(), ...issueRoutes(site), ...transitionRoutes(site), ...hookRoutes(site)]
}

function projectRoutes(): readonly Route[] {
  return [
    [
      'GET',
      /^\/rest\/api\/3\/project\/([^/]+)$/,
      ({ parts: [key] }) => {
        if (key !== projectKey) throw new Refused(404, `No project could be found with key '${key}'.`)
        return { id: '10000', key: projectKey, name: 'Website' }
      },
    ],
    ['GET', /^\/rest\/api\/3\/project\/WEB\/statuses$/, () => types.map((type) => ({ ...type, statuses }))],
    [
      'GET',
      /^\/rest\/api\/3\/issue\/createmeta\/WEB\/issuetypes$/,
      () => ({ issueTypes: types, maxResults: 200, startAt: 0, total: types.length }),
    ],
    [
      'GET',
      /^\/rest\/api\/3\/issue\/createmeta\/WEB\/issuetypes\/(\d+)$/,
      ({ parts: [id] }) => {
        const fields = id === '10004' ? [...createFields, severity] : createFields
        return { fields, maxResults: 200, startAt: 0, total: fields.length }
      },
    ],
    [
      'GET',
      /^\/rest\/api\/3\/user\/assignable\/search$/,
      ({ query }) =>
        users
          .filter((user) => user.email === query.get('query') && query.get('project') === projectKey)
          // As people set it by default, addresses are hidden.
          .map(({ accountId, displayName }) => ({ accountId, displayName, active: true })),
    ],
  ]
}

function issueRoutes(site: JiraSite): readonly Route[] {
  return [
    [
      'POST',
      /^\/rest\/api\/3\/issue$/,
      ({ body }) => {
        only(body, ['fields'])
        // Its fields are checked one by one.
        const fields = body.fields as Record<string, unknown>
        const errors = checkNewIssue(fields)
        if (Object.keys(errors).length > 0) throw new Refused(400, '', errors)
        const { id, key } = site.addIssue(fields)
        return { id, key, self: `${site.url}/rest/api/3/issue/${id}` }
      },
    ],
    [
      'GET',
      /^\/rest\/api\/3\/issue\/([^/]+)$/,
      ({ parts: [key], query }) => site.show(site.find(key), (query.get('fields') ?? '').split(',')),
    ],
    [
      'GET',
      /^\/rest\/api\/3\/issue\/([^/]+)\/comment$/,
      ({ parts: [key], query }) => {
        const { comments } = site.find(key)
        const startAt = Number(query.get('startAt'))
        const maxResults = Number(query.get('maxResults'))
        return { comments: comments.slice(startAt, startAt + maxResults), startAt, maxResults, total: comments.length }
      },
    ],
    [
      'POST',
      /^\/rest\/api\/3\/issue\/([^/]+)\/comment$/,
      ({ parts: [key = ''], body }) => {
        only(body, ['body'])
        const wrong = checkDocument(body.body)
        if (wrong !== undefined) throw new Refused(400, wrong)
        return site.addComment(key, { author: { displayName: 'Earshot' }, body: body.body })
      },
    ],
    [
      'POST',
      /^\/rest\/api\/3\/search\/jql$/,
      ({ body }) => {
        only(body, ['jql', 'fields', 'maxResults', 'nextPageToken'])
        const found = searchIssues(site, String(body.jql))
        const start = Number(body.nextPageToken ?? 0)
        // Jira's pages are shorter than asked for, as it likes.
        const next = start + Math.min(Number(body.maxResults), 2)
        const shown = found.slice(start, next).map((issue) => site.show(issue, [body.fields].flat().map(String)))
        const isLast = next >= found.length
        return { issues: shown, isLast, ...(!isLast && { nextPageToken: String(next) }) }
      },
    ],
  ]
}

function transitionRoutes(site: JiraSite): readonly Route[] {
  const pattern = /^\/rest\/api\/3\/issue\/([^/]+)\/transitions$/
  return [
    [
      'GET',
      pattern,
      ({ parts: [key], query }) => {
        site.find(key)
        const isExpanded = query.get('expand') === 'transitions.fields'
        const transitions = listTransitions(site)
        return { transitions: transitions.map(({ fields, ...rest }) => ({ ...rest, ...(isExpanded && { fields }) })) }
      },
    ],
    [
      'POST',
      pattern,
      async ({ parts: [key = ''], body }) => {
        only(body, ['transition', 'fields'])
        // Any other value has no id of a transition.
        const { id } = body.transition as { id: string }
        const chosen = listTransitions(site).find((each) => each.id === id)
        if (!chosen) throw new Refused(400, `You have tried to perform a workflow operation (${id}) that is not valid.`)
        // An unknown resolution is refused below.
        const { resolution } = (body.fields ?? {}) as { resolution?: { id: string } }
        if ('resolution' in chosen.fields && !resolutions.some((each) => each.id === resolution?.id)) {
          throw new Refused(400, '', { resolution: 'Resolution is required.' })
        }
        if (resolution) site.find(key).fields.resolution = resolution.id
        await site.setStatus(key, chosen.to.name)
        return undefined
      },
    ],
  ]
}

function hookRoutes(site: JiraSite): readonly Route[] {
  const all = /^\/rest\/webhooks\/1\.0\/webhook$/
  const one = /^\/rest\/webhooks\/1\.0\/webhook\/(\d+)$/
  const show = ({ secret: _, id, ...hook }: JiraHook) => ({
    ...hook,
    name: 'Earshot',
    enabled: true,
    isSigned: true,
    self: `${site.url}/rest/webhooks/1.0/webhook/${id}`,
  })
  const findAt = (id = '') => {
    const at = site.hooks.findIndex((hook) => hook.id === id)
    if (at === -1) throw new Refused(404, 'The webhook does not exist.')
    return at
  }
  const routes: readonly Route[] = [
    ['GET', all, () => site.hooks.map(show)],
    [
      'POST',
      all,
      ({ body }) => {
        const hook = { ...readHook(body), id: site.nextId() }
        site.hooks.push(hook)
        return show(hook)
      },
    ],
    [
      'PUT',
      one,
      ({ parts: [id = ''], body }) => {
        const hook = { ...readHook(body), id }
        site.hooks[findAt(id)] = hook
        return show(hook)
      },
    ],
    [
      'DELETE',
      one,
      ({ parts: [id] }) => {
        site.hooks.splice(findAt(id), 1)
        return undefined
      },
    ],
  ]
  return routes.map(([method, pattern, handle]) => [
    method,
    pattern,
    (asked) => {
      if (!site.isAdmin) throw new Refused(403, 'You do not have permission to administer webhooks.')
      return handle(asked)
    },
  ])
}

/** Refuses what the documentation does not list. */
function only(body: Body, names: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Refused(400, `Invalid request payload: ${unknown}`)
}

function readHook(body: Body): Omit<JiraHook, 'id'> {
  only(body, ['name', 'description', 'url', 'events', 'filters', 'excludeBody', 'secret'])
  const { name, url, events, filters, secret } = body
  if (typeof name !== 'string' || typeof url !== 'string' || !Array.isArray(events) || typeof secret !== 'string') {
    throw new Refused(400, 'name, url and events are required')
  }
  // Anything but an object has no such member.
  const jql = (filters as Body | undefined)?.['issue-related-events-section']
  if (jql !== `project = "${projectKey}"`) throw new Refused(400, 'no JQL that the double knows')
  return { url, events: events.map(String), secret }
}

function checkNewIssue(fields: Body): Record<string, string> {
  only(fields, ['project', 'issuetype', 'summary', 'description', 'labels', 'priority', 'assignee'])
  const { project, issuetype, summary, description, labels = [], priority, assignee } = fields
  // Anything but an object has no such member.
  const read = (value: unknown, name: 'id' | 'key') => (value as Body | undefined)?.[name]
  const errors: Record<string, string> = {}
  if (read(project, 'key') !== projectKey) errors.project = 'valid project is required'
  if (read(issuetype, 'id') !== '10002') errors.issuetype = 'Specify a valid issue type'
  if (typeof summary !== 'string' || summary === '' || summary.length > 255 || summary.includes('\n')) {
    errors.summary = 'The summary is invalid because it contains newline characters, or is too long.'
  }
  const wrong = description === undefined ? undefined : checkDocument(description)
  if (wrong !== undefined) errors.description = wrong
  if ([labels].flat().some((label) => typeof label !== 'string' || /\s/.test(label))) {
    errors.labels = 'The label contains spaces which is invalid.'
  }
  if (priority !== undefined && !priorities.some(({ id }) => id === read(priority, 'id')))
    errors.priority = 'is unknown'
  if (assignee !== undefined && !users.some((user) => user.accountId === read(assignee, 'id')))
    errors.assignee = 'is unknown'
  return errors
}

function listTransitions({ reachable, extraField }: JiraSite) {
  const resolution = { name: 'Resolution', required: true, hasDefaultValue: false, allowedValues: resolutions }
  const extra = extraField !== null && { customfield_1: { name: extraField, required: true, hasDefaultValue: false } }
  return statuses.flatMap((to, at) => {
    if (!reachable.includes(to.name)) return []
    const hasScreen = to.name === 'Done'
    const fields = hasScreen ? { resolution, ...extra } : {}
    return [{ id: String(11 + at * 10), name: `Move to ${to.name}`, to, hasScreen, isAvailable: true, fields }]
  })
}

const jqlPattern = /^project = "(\w+)" AND (created|updated) >= -(\d+)([dm]) ORDER BY \2 (ASC|DESC)$/

/** Finds issues by the one form of JQL that Earshot writes. */
function searchIssues({ issues }: JiraSite, jql: string): JiraSite['issues'] {
  const [, project, time, amount, unit, order] = jqlPattern.exec(jql) ?? []
  if (project !== projectKey || (time !== 'created' && time !== 'updated')) {
    throw new Refused(400, `Error in the JQL Query: ${jql}`)
  }
  const since = Date.now() - Number(amount) * (unit === 'd' ? 86_400_000 : 60_000)
  const sorted = issues.filter((issue) => issue[time] >= since).sort((one, other) => one[time] - other[time])
  return order === 'DESC' ? sorted.reverse() : sorted
}
