/*
 * Asana for tests: one project, by the REST API 1.0 (https://developers.asana.com/reference/rest-api-reference). What its
 * documentation does not name is refused, rich text that is no XML as well.
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
  gid: string
  name: string
  html_notes: string
  completed: boolean
  section: string
  tags: string[]
  assignee: string | null
  modifiedAt: Date
}
interface Story {
  gid: string
  task: string
  resource_subtype: string
  html_text: string
  created_by: { name: string }
}

const token = '2/1199/1200:token_of_the_test'
const workspace = { gid: '1100000000000001', name: 'Acme' }
const project = { gid: '1200000000000001', name: 'Website', workspace }
const grace = { gid: '1300000000000001', email: 'grace@example.com' }
const foreign = '1700000000999999'
const listFields = ['limit', 'offset', 'opt_fields']

/** The project, with the API as its side for programs. */
class Project {
  readonly sections: readonly { gid: string; name: string }[]
  readonly tags = [{ gid: '1500000000000000', name: 'feedback' }]
  readonly tasks: Task[] = []
  readonly stories: Story[] = []
  isRevoked = false

  constructor(sectionNames: readonly string[]) {
    this.sections = sectionNames.map((name, at) => ({ gid: `140000000000000${at}`, name }))
  }

  find(gid: string) {
    const task = this.tasks.find((each) => each.gid === gid)
    if (!task) throw new Error(`no task ${gid}`)
    return task
  }

  touch(task: Task, change: Partial<Task> = {}) {
    return Object.assign(task, change, { modifiedAt: new Date() })
  }

  show(task: Task) {
    return {
      gid: task.gid,
      name: task.name,
      html_notes: task.html_notes,
      completed: task.completed,
      permalink_url: `https://app.asana.com/1/${workspace.gid}/project/${project.gid}/task/${task.gid}`,
      memberships: [{ project: { gid: project.gid }, section: { gid: task.section } }],
    }
  }

  tell(gid: string, name: string, html: string): Story {
    const story = { task: gid, resource_subtype: 'comment_added', html_text: html, created_by: { name } }
    const all = { gid: `16000000000${10_000 + this.stories.length}`, ...story }
    this.stories.push(all)
    this.touch(this.find(gid))
    return all
  }

  handle(request: TrackerRequest): TrackerReply | undefined {
    const { method, path, query, headers } = request
    if (headers.authorization !== `Bearer ${token}` || this.isRevoked) return fail(401, 'Not Authorized')
    const [, , , kind, id, part] = path.split('/')
    if (!path.startsWith('/api/1.0/')) return undefined
    const route = [method, kind, ...(id === undefined ? [] : [':id']), part].filter(Boolean).join(' ')
    const allow = (...names: string[]) => requireFields(Object.fromEntries(query), names)
    const body = () => requireFields(request.body, ['data!']).data
    if (kind === 'projects' && id !== project.gid) return fail(404, 'project: Unknown object')
    if (kind === 'workspaces' && id !== workspace.gid) return fail(404, 'workspace: Unknown object')
    switch (route) {
      case 'GET projects :id':
        allow('opt_fields')
        return [200, { data: project }]
      case 'GET projects :id sections':
        allow(...listFields)
        return listed(this.sections, query)
      case 'GET users :id':
        allow('opt_fields')
        if (decodeURIComponent(id ?? '') !== grace.email) return fail(404, 'user: Unknown object')
        return [200, { data: { gid: grace.gid, workspaces: [{ gid: workspace.gid }] } }]
      case 'GET workspaces :id typeahead': {
        const { query: text = '' } = allow('resource_type!', 'query', 'count', 'opt_fields')
        return [200, { data: this.tags.filter(({ name }) => name.includes(String(text))) }]
      }
      case 'POST tags': {
        const { name } = requireFields(body(), ['name!', 'workspace!'])
        this.tags.push({ gid: `150000000000000${this.tags.length}`, name: String(name) })
        return [201, { data: this.tags.at(-1) }]
      }
      case 'GET tasks': {
        const { modified_since: since } = allow('project!', 'modified_since', ...listFields)
        return listed(
          this.tasks.filter(({ modifiedAt }) => modifiedAt >= new Date(String(since))).map((task) => this.show(task)),
          query,
        )
      }
      case 'POST tasks':
        allow('opt_fields')
        return [201, { data: this.show(this.create(body())) }]
      case 'POST sections :id addTask': {
        const { task } = requireFields(body(), ['task!'])
        if (!this.sections.some(({ gid }) => gid === id)) return fail(404, 'section: Unknown object')
        this.touch(this.find(String(task)), { section: id ?? '' })
        return [200, { data: {} }]
      }
    }
    if (route === 'GET tasks :id' && id === foreign) {
      const memberships = [{ project: { gid: '1200000000000002' }, section: null }]
      return [200, { data: { gid: foreign, name: 'Secret', completed: false, memberships } }]
    }
    const task = this.tasks.find(({ gid }) => gid === id)
    if (kind === 'tasks' && !task) return fail(404, `task: Unknown object: ${id}`)
    if (!task) return undefined
    switch (route) {
      case 'GET tasks :id':
        allow('opt_fields')
        return [200, { data: this.show(task) }]
      case 'PUT tasks :id': {
        const { completed } = requireFields(body(), ['completed!'])
        this.touch(task, { completed: completed === true })
        return [200, { data: this.show(task) }]
      }
      case 'GET tasks :id stories': {
        allow(...listFields)
        const moved = {
          gid: '1',
          resource_subtype: 'section_changed',
          html_text: '<body>moved</body>',
          created_by: null,
        }
        return listed([moved, ...this.stories.filter((story) => story.task === id)], query)
      }
      case 'POST tasks :id stories': {
        const { html_text: html } = requireFields(body(), ['html_text!'])
        return [201, { data: this.tell(task.gid, 'Earshot', checkHtml(html)) }]
      }
    }
    return undefined
  }

  create(data: unknown): Task {
    const given = requireFields(data, ['name!', 'html_notes', 'projects!', 'tags', 'assignee'])
    if (String(given.projects) !== project.gid) throw new UndocumentedError('projects: Unknown object')
    if (given.assignee !== undefined && given.assignee !== grace.gid) throw new UndocumentedError('assignee: Unknown')
    const task = {
      gid: `1700000000${100_000 + this.tasks.length}`,
      name: String(given.name),
      html_notes: checkHtml(given.html_notes),
      completed: false,
      section: this.sections[0]?.gid ?? '',
      tags: Array.isArray(given.tags) ? given.tags.map(String) : [],
      assignee: given.assignee === undefined ? null : grace.email,
      modifiedAt: new Date(),
    }
    this.tasks.push(task)
    return task
  }
}

/** Starts it with the tag “feedback”. */
export async function startAsanaDouble(sectionNames = ['To do', 'Doing', 'Done']): Promise<TrackerDouble> {
  const world = new Project(sectionNames)
  const served = await serveTracker((request) => world.handle(request))
  return {
    ...served,
    config: {
      project: `https://app.asana.com/1/${workspace.gid}/project/${project.gid}/list/1900000000000001`,
      token,
      apiUrl: `${served.url}/api/1.0`,
    },
    endsOn: null,
    foreign: [`https://app.asana.com/0/${project.gid}/${foreign}`, '1700000000888888'],
    statuses: ['To do', 'Doing', 'Done, completed'],
    issues: () =>
      world.tasks.map((task) => ({
        key: task.gid,
        title: task.name,
        body: task.html_notes,
        status: `${world.sections.find(({ gid }) => gid === task.section)?.name}${task.completed ? ', completed' : ''}`,
        labels: task.tags.map((id) => world.tags.find(({ gid }) => gid === id)?.name ?? ''),
        priority: null,
        assignee: task.assignee,
        comments: world.stories
          .filter((story) => story.task === task.gid)
          .map(({ created_by: author, html_text: text }) => ({ author: author.name, text })),
      })),
    move: (gid, status) => {
      world.touch(world.find(gid), {
        section: world.sections.find(({ name }) => status.startsWith(name))?.gid ?? '',
        completed: status.endsWith(', completed'),
      })
    },
    comment: (gid, text) => world.tell(gid, 'Grace', `<body>${text.replaceAll('&', '&amp;')}</body>`),
    remove: (gid) => world.tasks.splice(world.tasks.indexOf(world.find(gid)), 1),
    revoke: () => {
      world.isRevoked = true
    },
  }
}

const fail = (status: number, message: string): TrackerReply => [status, { errors: [{ message }] }]

function listed(entries: readonly unknown[], query: URLSearchParams): TrackerReply {
  const from = Number(query.get('offset') ?? 0)
  const to = from + Number(query.get('limit') ?? 20)
  const next = to < entries.length ? { offset: String(to) } : null
  return [200, { data: entries.slice(from, to), next_page: next }]
}

const known = ['body', 'strong', 'em', 'u', 's', 'code', 'ol', 'ul', 'li', 'a', 'blockquote', 'pre', 'h1', 'h2', 'hr']

/** Asana refuses rich text that is no XML, and elements that it does not know. */
function checkHtml(html: unknown): string {
  if (typeof html !== 'string' || html.length > 65_535) throw new UndocumentedError('too long')
  if (!/^<body>.*<\/body>$/s.test(html)) throw new UndocumentedError('xml_parsing_error: no body')
  const open: string[] = []
  const rest = html.replace(
    /<(\/?)([a-z\d]+)((?: [a-z-]+="[^"<]*")*)>/g,
    (_, end: string, name: string, attributes: string) => {
      if (!known.includes(name) || (attributes !== '' && name !== 'a'))
        throw new UndocumentedError(`unsupported ${name}`)
      if (end === '') open.push(name)
      else if (open.pop() !== name) throw new UndocumentedError(`xml_parsing_error: ${name}`)
      return ''
    },
  )
  if (open.length > 0 || /[<>]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(rest)) {
    throw new UndocumentedError('xml_parsing_error')
  }
  return html
}
