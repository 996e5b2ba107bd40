/*
 * Azure DevOps for tests: one project with Issues and Bugs, by the REST API 7.1
 * (https://learn.microsoft.com/rest/api/azure/devops/wit). What its documentation does not name is refused.
 */
import {
  requireFields,
  serveTracker,
  type TrackerDouble,
  type TrackerReply,
  type TrackerRequest,
  UndocumentedError,
} from './tracker-double.ts'

interface WorkItem {
  id: number
  fields: Record<string, unknown>
  created: Date
  changed: Date
}
interface Comment {
  id: number
  item: number
  text: string
  format: 'html' | 'markdown'
  createdBy: { displayName: string }
}

const token = 'token_of_the_test'
const project = 'Web shop'
const color = '007acc'
/** Of the processes Basic and Agile. */
const statesOf: Readonly<Record<string, readonly { name: string; color: string; category: string }[]>> = {
  Issue: [
    { name: 'To Do', color, category: 'Proposed' },
    { name: 'Doing', color, category: 'InProgress' },
    { name: 'Done', color, category: 'Completed' },
  ],
  Bug: [
    { name: 'New', color, category: 'Proposed' },
    { name: 'Active', color, category: 'InProgress' },
    { name: 'Resolved', color, category: 'Resolved' },
    { name: 'Closed', color, category: 'Completed' },
  ],
}
const writable = [
  'System.Title',
  'System.Description',
  'Microsoft.VSTS.TCM.ReproSteps',
  'System.State',
  'System.Tags',
  'System.AssignedTo',
  'Microsoft.VSTS.Common.Priority',
]
const foreign = '299'
const grace = 'grace@example.com'
const priorities: Readonly<Record<string, string>> = { 1: 'urgent', 2: 'high', 3: 'medium', 4: 'low' }

/** The project, with the API as its side for programs. */
class Project {
  readonly items: WorkItem[] = []
  readonly comments: Comment[] = []
  isRevoked = false

  find(key: string) {
    const item = this.items.find(({ id }) => String(id) === key)
    if (!item) throw new Error(`no work item ${key}`)
    return item
  }

  show({ id, fields }: WorkItem, names?: readonly string[]) {
    return {
      id,
      rev: 1,
      fields: Object.fromEntries(
        Object.entries(fields).filter(([name]) => names === undefined || names.includes(name)),
      ),
    }
  }

  tell(item: WorkItem, displayName: string, text: string, format: Comment['format']): Comment {
    const comment = { id: 50 + this.comments.length, item: item.id, text, format, createdBy: { displayName } }
    this.comments.push(comment)
    item.changed = new Date()
    return comment
  }

  handle(request: TrackerRequest): TrackerReply | undefined {
    const { method, headers, body } = request
    const isAllowed = headers.authorization === `Basic ${Buffer.from(`:${token}`).toString('base64')}`
    // Azure DevOps shows the page for signing in.
    if (!isAllowed || this.isRevoked) return [203, '<html>Sign in</html>']
    const start = `/acme/${encodeURIComponent(project)}/_apis/wit/`
    if (!request.path.startsWith(start)) return fail(404, 'TF200016: The project does not exist.')
    const path = request.path.slice(start.length)
    const [kind = '', key = '', part] = path.split('/')
    const allow = (...names: string[]) => {
      const { 'api-version': version, ...query } = requireFields(Object.fromEntries(request.query), [
        'api-version!',
        ...names,
      ])
      const wanted = part === 'comments' ? '7.1-preview.4' : '7.1'
      if (version !== wanted) throw new UndocumentedError(`api-version ${version}`)
      return query
    }
    const route = [method, kind.toLowerCase(), key === '' ? '' : key.startsWith('$') ? ':type' : ':id', part]
    switch (route.filter(Boolean).join(' ')) {
      case 'GET workitemtypes :id states':
        allow()
        return statesOf[key]
          ? [200, { count: statesOf[key].length, value: statesOf[key] }]
          : fail(404, `VS402323: Work item type ${key} does not exist.`)
      case 'POST wiql': {
        const { $top } = allow('timePrecision!', '$top')
        const { query } = requireFields(body, ['query!'])
        return [200, { queryType: 'flat', workItems: this.select(String(query), Number($top)) }]
      }
      case 'GET workitems': {
        const { ids, fields } = allow('ids!', 'fields')
        const wanted = String(ids).split(',')
        if (wanted.length > 200) return fail(400, 'VS402337: too many')
        const found = this.items.filter(({ id }) => wanted.includes(String(id)))
        return [200, { count: found.length, value: found.map((item) => this.show(item, String(fields).split(','))) }]
      }
      case 'POST workitems :type':
        allow()
        return this.create(key.slice(1), readPatch(request))
    }
    if (kind === 'workitems' && key === foreign) {
      return [200, { id: Number(foreign), fields: { 'System.Title': 'Secret', 'System.TeamProject': 'Other' } }]
    }
    const item = this.items.find(({ id }) => String(id) === key)
    if (!item) return fail(404, `TF401232: Work item ${key} does not exist.`)
    switch (route.filter(Boolean).join(' ')) {
      case 'GET workitems :id':
        return [200, this.show(item, String(allow('fields').fields).split(','))]
      case 'PATCH workitems :id':
        allow()
        return this.change(item, readPatch(request))
      case 'GET workitems :id comments': {
        const { $top } = allow('$top', 'order', 'continuationToken')
        const own = this.comments.filter((comment) => comment.item === item.id)
        return [200, { totalCount: own.length, comments: own.slice(0, Number($top)) }]
      }
      case 'POST workitems :id comments': {
        const { format } = allow('format')
        const { text } = requireFields(body, ['text!'])
        return [200, this.tell(item, 'Earshot', String(text), format === 'html' ? 'html' : 'markdown')]
      }
    }
    return undefined
  }

  create(type: string, given: Record<string, unknown>): TrackerReply {
    const [first] = statesOf[type] ?? []
    if (!first) return fail(404, 'VS402323: Work item type does not exist.')
    const assignee = given['System.AssignedTo']
    if (assignee !== undefined && assignee !== grace) return fail(400, 'TF401320: The identity value is unknown.')
    const fields = {
      'System.State': first.name,
      'System.WorkItemType': type,
      'System.TeamProject': project,
      'Microsoft.VSTS.Common.Priority': 2,
      ...given,
    }
    const item = { id: 300 + this.items.length, fields, created: new Date(), changed: new Date() }
    this.items.push(item)
    return [200, this.show(item)]
  }

  change(item: WorkItem, fields: Record<string, unknown>): TrackerReply {
    const { 'System.State': state } = fields
    const states = statesOf[String(item.fields['System.WorkItemType'])] ?? []
    if (state !== undefined && !states.some(({ name }) => name === state)) return fail(400, 'TF401320: State')
    Object.assign(item.fields, fields)
    item.changed = new Date()
    return [200, this.show(item)]
  }

  select(wiql: string, limit: number): { id: number }[] {
    const [, field, since] =
      /^SELECT \[System\.Id\] FROM WorkItems WHERE \[System\.TeamProject\] = @project AND \[System\.(Created|Changed)Date\] >= '([^']+)' ORDER BY \[System\.\1Date\] DESC$/.exec(
        wiql,
      ) ?? []
    if (since === undefined) throw new UndocumentedError(`query: ${wiql}`)
    const found = this.items.filter((item) => item[field === 'Created' ? 'created' : 'changed'] >= new Date(since))
    return found.slice(0, limit).map(({ id }) => ({ id }))
  }
}

/** Starts it with no work items. */
export async function startAzureDevopsDouble(): Promise<TrackerDouble> {
  const world = new Project()
  const served = await serveTracker((request) => world.handle(request))
  return {
    ...served,
    config: { organization: `${served.url}/acme/`, project, token, tokenEndsAt: '2031-05-01' },
    endsOn: '2031-05-01',
    foreign: [`#${foreign}`, '999'],
    statuses: ['To Do', 'Doing', 'Done'],
    issues: () =>
      world.items.map(({ id, fields }) => ({
        key: String(id),
        title: String(fields['System.Title']),
        body: String(fields['System.Description'] ?? fields['Microsoft.VSTS.TCM.ReproSteps']),
        status: String(fields['System.State']),
        labels: fields['System.Tags'] === undefined ? [] : String(fields['System.Tags']).split('; '),
        priority: priorities[String(fields['Microsoft.VSTS.Common.Priority'])] ?? null,
        assignee: fields['System.AssignedTo'] === undefined ? null : String(fields['System.AssignedTo']),
        comments: world.comments
          .filter((comment) => comment.item === id)
          .map(({ createdBy, text }) => ({ author: createdBy.displayName, text })),
      })),
    move: (key, status) => {
      const item = world.find(key)
      item.fields['System.State'] = status
      item.changed = new Date()
    },
    comment: (key, text) =>
      world.tell(world.find(key), 'Grace', `<div>${text.replaceAll('&', '&amp;')}<br></div>`, 'html'),
    remove: (key) => world.items.splice(world.items.indexOf(world.find(key)), 1),
    revoke: () => {
      world.isRevoked = true
    },
  }
}

const fail = (status: number, message: string): TrackerReply => [status, { $id: '1', message }]

/** Fields that a JSON Patch sets. */
function readPatch({ headers, body }: TrackerRequest): Record<string, unknown> {
  if (headers['content-type'] !== 'application/json-patch+json' || !Array.isArray(body)) {
    throw new UndocumentedError('no JSON Patch')
  }
  return Object.fromEntries(
    body.map((step: unknown) => {
      const { op, path, value } = requireFields(step, ['op!', 'path!', 'value!'])
      const name = String(path).replace('/fields/', '')
      if (op !== 'add' || !writable.includes(name)) throw new UndocumentedError(`TF51535: field ${name}`)
      if (name === 'System.Title' && String(value).length > 255) throw new UndocumentedError('title too long')
      return [name, value]
    }),
  )
}
