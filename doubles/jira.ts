/*
 * Jira Cloud for tests, in memory: one project, and the operations that Earshot calls.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listRoutes, type Route } from './jira-routes.ts'
import { email, JiraSite, Refused, token } from './jira-site.ts'

/** A running double. */
export interface JiraDouble {
  readonly site: JiraSite
  stop(): Promise<void>
}

/** Starts it on the loopback interface, without issues. */
export async function startJiraDouble(): Promise<JiraDouble> {
  const site = new JiraSite()
  const routes = listRoutes(site)
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(routes, request)
    const isCreation = request.method === 'POST' && request.url === '/rest/api/3/issue'
    if (isCreation && site.lostCreations > 0) {
      site.lostCreations -= 1
      response.destroy()
      return
    }
    response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' })
    response.end(body === undefined ? '' : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server has an address of this form.
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    site,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(routes: readonly Route[], request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  try {
    const body = await handle(routes, request)
    return { status: body === undefined ? 204 : request.method === 'POST' ? 201 : 200, body }
  } catch (error) {
    if (!(error instanceof Refused)) return { status: 500, body: { errorMessages: [String(error)], errors: {} } }
    const errorMessages = error.message === '' ? [] : [error.message]
    return { status: error.status, body: { errorMessages, errors: error.errors } }
  }
}

const expected = `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`

async function handle(routes: readonly Route[], request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  // A request without an encoding gives bytes.
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (request.headers.authorization !== expected) throw new Refused(401, 'Client must be authenticated.')
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://jira')
  const text = Buffer.concat(chunks).toString()
  // Each operation checks its own.
  const body = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>)
  for (const [method, pattern, run] of routes) {
    const match = method === request.method ? pattern.exec(pathname) : null
    if (match) return run({ query, body, parts: match.slice(1).map(decodeURIComponent) })
  }
  throw new Refused(404, `${request.method} ${pathname} is no operation that the double knows.`)
}
