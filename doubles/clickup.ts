/*
 * ClickUp for tests: one list, by the REST API 2 (https://developer.clickup.com/reference). What its documentation does not
 * name is refused.
 */
import {
  requireFields,
  serveTracker,
  type TrackerDouble,
  type TrackerReply,
  type TrackerRequest,
  UndocumentedError,
} from './tracker-double.ts'

interface Task {
  id: string
  name: string
  markdown: string
  status: string
  tags: string[]
  priority: number | null
  assignees: unknown[]
  created: number
  updated: number
}
interface Comment {
  id: string
  task: string
  comment_text: string
  user: { username: string }
  date: string
}

const token = 'pk_42_TOKEN_OF_THE_TEST'
const list = { id: '901100123456', name: 'Website' }
const grace = { id: 4211, username: 'Grace', email: 'Grace@example.com' }
const priorities = [null, 'urgent', 'high', 'normal', 'low'] as const
const statuses = [
  { status: 'to do', orderindex: 0, type: 'open' },
  { status: 'in progress', orderindex: 1, type: 'custom' },
  { status: 'complete', orderindex: 2, type: 'closed' },
]
const foreign = '86czz9'
const secret = '86czz8'
const commentsPerPage = 25

/** The list, with the API as its side for programs. */
class List {
  readonly tasks: Task[] = []
  readonly comments: Comment[] = []
  isRevoked = false

  find(id: string) {
    const task = this.tasks.find((each) => each.id === id)
    if (!task) throw new Error(`no task ${id}`)
    return task
  }

  show(task: Task) {
    return {
      id: task.id,
      custom_id: null,
      name: task.name,
      markdown_description: task.markdown,
      status: statuses.find(({ status }) => status === task.status),
      url: `https://app.clickup.com/t/${task.id}`,
      list: { id: list.id },
    }
  }

  tell(id: string, username: string, text: string): Comment {
    const comment = { id: String(90_000 + this.comments.length), task: id, comment_text: text, user: { username } }
    const all = { ...comment, date: String(Date.now()) }
    // Newest first.
    this.comments.unshift(all)
    this.find(id).updated = Date.now()
    return all
  }

  handle(request: TrackerRequest): TrackerReply | undefined {
    const { method, path, query, headers, body } = request
    if (headers.authorization !== token || this.isRevoked) return [401, { err: 'Token invalid', ECODE: 'OAUTH_025' }]
    const [, , version, kind, id, part] = path.split('/')
    if (!path.startsWith('/api/') || version !== 'v2') return undefined
    const route = [method, kind, ':id', part].filter(Boolean).join(' ')
    const allow = (...names: string[]) => requireFields(Object.fromEntries(query), names)
    if (kind === 'list' && id !== list.id) return [401, { err: 'Team not authorized', ECODE: 'OAUTH_027' }]
    switch (route) {
      case 'GET list :id':
        allow()
        return [200, { ...list, statuses }]
      case 'GET list :id member':
        allow()
        return [200, { members: [grace] }]
      case 'GET list :id task':
        allow(
          'include_closed',
          'subtasks',
          'page',
          'date_updated_gt',
          'date_created_gt',
          'include_markdown_description',
        )
        return [200, this.listTasks(query)]
      case 'POST list :id task':
        return [200, this.create(body)]
    }
    if (route === 'GET task :id' && id === foreign) {
      return [200, { id: foreign, name: 'Secret', status: statuses[0], list: { id: '901100999999' } }]
    }
    if (route === 'GET task :id' && id === secret) return [401, { err: 'Team not authorized', ECODE: 'OAUTH_027' }]
    const task = this.tasks.find((each) => each.id === id)
    if (kind === 'task' && !task) return [404, { err: 'Task not found, deleted', ECODE: 'ITEM_013' }]
    if (!task) return undefined
    switch (route) {
      case 'GET task :id':
        allow()
        return [200, this.show(task)]
      case 'PUT task :id': {
        const { status } = requireFields(body, ['status!'])
        if (!statuses.some((each) => each.status === status))
          return [400, { err: 'Status not found', ECODE: 'CRTSK_001' }]
        Object.assign(task, { status, updated: Date.now() })
        return [200, this.show(task)]
      }
      case 'GET task :id comment': {
        const { start_id: last } = allow('start', 'start_id')
        const own = this.comments.filter((comment) => comment.task === id)
        const from = last === undefined ? 0 : own.findIndex((comment) => comment.id === last) + 1
        return [200, { comments: own.slice(from, from + commentsPerPage) }]
      }
      case 'POST task :id comment': {
        const { comment_text: text } = requireFields(body, ['comment_text!', 'notify_all!'])
        return [200, { id: Number(this.tell(task.id, 'Earshot', String(text)).id), hist_id: 'x', date: Date.now() }]
      }
    }
    return undefined
  }

  listTasks(query: URLSearchParams): object {
    const updated = Number(query.get('date_updated_gt') ?? 0)
    const created = Number(query.get('date_created_gt') ?? 0)
    const found = this.tasks
      .filter((task) => task.updated > updated && task.created > created)
      .map((task) => this.show(task))
    const page = Number(query.get('page') ?? 0)
    return { tasks: found.slice(page * 100, page * 100 + 100), last_page: found.length <= page * 100 + 100 }
  }

  create(body: unknown): object {
    const given = requireFields(body, ['name!', 'markdown_content', 'tags', 'priority', 'assignees', 'status'])
    const { name, markdown_content: markdown, tags, priority, assignees } = given
    const isKnown = Array.isArray(assignees) && assignees.every((id) => id === grace.id)
    if (!isKnown) throw new UndocumentedError('assignee is no member of the list')
    if (priority !== null && (typeof priority !== 'number' || !(priority in priorities))) {
      throw new UndocumentedError('priority is none of 1 to 4')
    }
    const task = {
      id: `86c${1000 + this.tasks.length}`,
      name: String(name),
      markdown: String(markdown),
      status: 'to do',
      tags: Array.isArray(tags) ? tags.map(String) : [],
      priority,
      assignees,
      created: Date.now(),
      updated: Date.now(),
    }
    this.tasks.push(task)
    return this.show(task)
  }
}

/** Starts it with one list. */
export async function startClickUpDouble(): Promise<TrackerDouble> {
  const world = new List()
  const served = await serveTracker((request) => world.handle(request))
  return {
    ...served,
    config: {
      list: `https://app.clickup.com/9008/v/l/6-${list.id}-1`,
      token,
      apiUrl: `${served.url}/api/v2/`,
    },
    endsOn: null,
    foreign: [`https://app.clickup.com/t/${foreign}`, secret],
    statuses: ['to do', 'in progress', 'complete'],
    issues: () =>
      world.tasks.map((task) => ({
        key: task.id,
        title: task.name,
        body: task.markdown,
        status: task.status,
        labels: task.tags,
        priority: priorities[task.priority ?? 0] ?? null,
        assignee: task.assignees.length > 0 ? grace.email.toLowerCase() : null,
        comments: world.comments
          .filter((comment) => comment.task === task.id)
          .map(({ user, comment_text: text }) => ({ author: user.username, text }))
          .reverse(),
      })),
    move: (id, status) => Object.assign(world.find(id), { status, updated: Date.now() }),
    comment: (id, text) => world.tell(id, 'Grace', text),
    remove: (id) => world.tasks.splice(world.tasks.indexOf(world.find(id)), 1),
    revoke: () => {
      world.isRevoked = true
    },
  }
}
