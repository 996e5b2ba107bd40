/*
 * GitLab for tests: projects with issues, notes, members and webhooks by the documented REST API v4
 * (https://docs.gitlab.com/api/rest). It refuses requests and fields that are not documented.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type GitLabIssue, GitLabStore, type GitLabToken, gitlabMembers, gitlabProjects } from './gitlab-store.ts'

/** A running double. */
export interface GitLabDouble {
  readonly url: string
  readonly store: GitLabStore
  /** Requests that GitLab does not document. */
  readonly refused: readonly string[]
  /** Carries out the next new issue, and breaks the connection off instead of answering. */
  loseNextAnswer(): void
  stop(): Promise<void>
}

/** What a route gets of its request. */
interface Asked {
  readonly token: GitLabToken
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  /** Parts of the path. */
  readonly ids: readonly string[]
}
interface Answer {
  readonly status: number
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
interface Route {
  readonly method: string
  readonly path: RegExp
  /** Documented names in the query or the body; those with `!` are required. */
  readonly fields: string
  readonly answer: (asked: Asked) => Answer
}

const missing = (what: string): Answer => ({ status: 404, json: { message: `404 ${what} Not Found` } })

/** Starts it on the loopback interface, with the projects `acme/tools/website` and `acme/archive`. */
export async function startGitLabDouble(): Promise<GitLabDouble> {
  const store = new GitLabStore()
  const routes = [...listProjectRoutes(), ...listIssueRoutes(store), ...listNoteRoutes(store), ...listHookRoutes(store)]
  const refused: string[] = []
  let losesNext = false
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const url = new URL(request.url ?? '/', 'http://gitlab')
      const { status, json, headers } = answer(store, routes, refused, {
        method: request.method,
        url,
        text,
        headers: request.headers,
      })
      if (losesNext && request.method === 'POST' && url.pathname.endsWith('/issues')) {
        losesNext = false
        response.destroy()
        return
      }
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(json === undefined ? undefined : JSON.stringify(json))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server has an address of this form.
  store.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: store.url,
    store,
    refused,
    loseNextAnswer: () => {
      losesNext = true
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Request {
  readonly method?: string | undefined
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

function answer(
  store: GitLabStore,
  routes: readonly Route[],
  refused: string[],
  { method, url, headers, text }: Request,
): Answer {
  const refuse = (why: string): Answer => {
    refused.push(`${method} ${url.pathname}: ${why}`)
    return { status: 400, json: { error: why } }
  }
  const token = store.tokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '')
  if (!token) return { status: 401, json: { message: '401 Unauthorized' } }
  const route = routes.find((each) => each.method === method && each.path.test(url.pathname))
  if (!route) return refuse('no such route')
  // Requests have JSON objects.
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  const given = [...url.searchParams.keys(), ...Object.keys(body)]
  const fields = route.fields.split(' ')
  const unknown = given.find((field) => !fields.includes(field) && !fields.includes(`${field}!`))
  if (unknown !== undefined) return refuse(`${unknown} is not documented`)
  const lacking = fields.find((field) => field.endsWith('!') && !given.includes(field.slice(0, -1)))
  if (lacking !== undefined) return refuse(`${lacking.slice(0, -1)} is missing`)
  const [, ...ids] = route.path.exec(url.pathname) ?? []
  return route.answer({ token, query: url.searchParams, body, ids })
}

const inProject = (act: (projectId: number, asked: Asked) => Answer) => (asked: Asked) => {
  const given = decodeURIComponent(asked.ids[0] ?? '').toLowerCase()
  const project = gitlabProjects.find(({ id, path_with_namespace: path }) => String(id) === given || path === given)
  return project ? act(project.id, asked) : missing('Project')
}

const onIssue = (store: GitLabStore, act: (issue: GitLabIssue, asked: Asked) => Answer) =>
  inProject((projectId, asked) => {
    const issue = store.issues.find((each) => each.project_id === projectId && String(each.iid) === asked.ids[1])
    return issue ? act(issue, asked) : missing('Issue')
  })

const asMaintainer = (act: (projectId: number, asked: Asked) => Answer) =>
  inProject((projectId, asked) =>
    asked.token.role === 'maintainer' ? act(projectId, asked) : { status: 403, json: { message: '403 Forbidden' } },
  )

function listProjectRoutes(): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/api\/v4\/personal_access_tokens\/self$/,
      fields: '',
      answer: ({ token: { scopes, expires_at } }) => ({ status: 200, json: { scopes, expires_at, active: true } }),
    },
    {
      method: 'GET',
      path: /^\/api\/v4\/projects\/([^/]+)$/,
      fields: '',
      answer: inProject((id) => {
        const project = gitlabProjects.find((each) => each.id === id)
        return { status: 200, json: { ...project, issues_enabled: true } }
      }),
    },
    {
      method: 'GET',
      path: /^\/api\/v4\/projects\/([^/]+)\/members\/all$/,
      fields: 'query page per_page',
      answer: inProject((_, { query }) => {
        const wanted = query.get('query') ?? ''
        const found = gitlabMembers.filter(({ name, public_email: email }) => name === wanted || email === wanted)
        return { status: 200, json: found.map(({ id, username, name }) => ({ id, username, name, state: 'active' })) }
      }),
    },
  ]
}

function listIssueRoutes(store: GitLabStore): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/api\/v4\/projects\/([^/]+)\/issues$/,
      fields: 'scope updated_after order_by sort page per_page',
      answer: inProject((projectId, { query }) => {
        const by = query.get('order_by') === 'updated_at' ? 'updated_at' : 'created_at'
        const found = store.issues
          .filter((each) => each.project_id === projectId && each.updated_at >= (query.get('updated_after') ?? ''))
          .toSorted((a, b) => a[by].localeCompare(b[by]))
        return writePage(found, query)
      }),
    },
    {
      method: 'POST',
      path: /^\/api\/v4\/projects\/([^/]+)\/issues$/,
      fields: 'title! description labels assignee_ids',
      answer: inProject((projectId, { body: { title, description, labels, assignee_ids: ids } }) => {
        const names = String(labels ?? '').split(',')
        const issue = store.addIssue(projectId, {
          title: String(title),
          description: String(description ?? ''),
          labels: names.filter((name) => name !== ''),
          assignees: [ids ?? []].flat().map((id) => ({ id: Number(id) })),
        })
        return { status: 201, json: issue }
      }),
    },
    {
      method: 'GET',
      path: /^\/api\/v4\/projects\/([^/]+)\/issues\/(\d+)$/,
      fields: '',
      answer: onIssue(store, (issue) => ({ status: 200, json: issue })),
    },
    {
      method: 'PUT',
      path: /^\/api\/v4\/projects\/([^/]+)\/issues\/(\d+)$/,
      fields: 'state_event!',
      answer: onIssue(store, ({ id }, { body: { state_event: event } }) => {
        if (event !== 'close' && event !== 'reopen') return { status: 400, json: { error: 'state_event' } }
        return { status: 200, json: store.changeIssue(id, { state: event === 'close' ? 'closed' : 'opened' }) }
      }),
    },
    {
      method: 'POST',
      path: /^\/api\/graphql$/,
      fields: 'query! variables!',
      answer: ({ body: { variables } }) => {
        // The only query that the product asks.
        const { id } = variables as { id: string }
        const found = store.issues.find((each) => `gid://gitlab/Issue/${each.id}` === id)
        const issue = found ? { iid: String(found.iid), projectId: found.project_id } : null
        return { status: 200, json: { data: { issue } } }
      },
    },
  ]
}

function listNoteRoutes(store: GitLabStore): Route[] {
  const path = /^\/api\/v4\/projects\/([^/]+)\/issues\/(\d+)\/notes$/
  return [
    {
      method: 'GET',
      path,
      fields: 'sort order_by page per_page',
      answer: onIssue(store, ({ id }, { query }) => writePage(store.notes.get(id) ?? [], query)),
    },
    {
      method: 'POST',
      path,
      fields: 'body!',
      answer: onIssue(store, ({ id }, { body }) => ({
        status: 201,
        json: store.addNote(id, { body: String(body.body) }),
      })),
    },
  ]
}

function listHookRoutes(store: GitLabStore): Route[] {
  const events = 'push_events issues_events confidential_issues_events note_events confidential_note_events'
  const fields = `url! token signing_token ${events} enable_ssl_verification`
  const write = (id: number, projectId: number, body: Asked['body'], status: number): Answer => {
    const hook = store.writeHook(id, projectId, body)
    return hook ? { status, json: hook } : { status: 422, json: { message: { signing_token: ['is invalid'] } } }
  }
  const one = /^\/api\/v4\/projects\/([^/]+)\/hooks\/(\d+)$/
  const all = /^\/api\/v4\/projects\/([^/]+)\/hooks$/
  return [
    {
      method: 'GET',
      path: all,
      fields: 'page per_page',
      answer: asMaintainer((projectId, { query }) => {
        const own = store.hooks.filter((hook) => hook.projectId === projectId)
        const shown = own.map((hook) => store.showHook(hook))
        return writePage(shown, query)
      }),
    },
    {
      method: 'POST',
      path: all,
      fields,
      answer: asMaintainer((projectId, { body }) => write(store.nextId(), projectId, body, 201)),
    },
    {
      method: 'PUT',
      path: one,
      fields,
      answer: asMaintainer((projectId, { body, ids }) => write(Number(ids[1]), projectId, body, 200)),
    },
    {
      method: 'DELETE',
      path: one,
      fields: '',
      answer: asMaintainer((_, { ids }) => {
        const isThere = store.hooks.some(({ id }) => String(id) === ids[1])
        store.hooks = store.hooks.filter(({ id }) => String(id) !== ids[1])
        return isThere ? { status: 204 } : missing('Hook')
      }),
    },
  ]
}

/** A page of what was found, oldest first, with the headers of offset-based pagination. */
function writePage(found: readonly unknown[], query: URLSearchParams): Answer {
  const sorted = query.get('sort') === 'desc' ? found.toReversed() : found
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)]
  const next = found.length > page * size ? String(page + 1) : ''
  const headers = { 'x-page': String(page), 'x-per-page': String(size), 'x-next-page': next }
  return { status: 200, json: sorted.slice((page - 1) * size, page * size), headers }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  // Without an encoding, a stream gives bytes.
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
