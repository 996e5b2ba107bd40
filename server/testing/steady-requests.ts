import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { builtPassword, createProject, createUser } from './builders.ts'
import { makeSubmission } from './visitor.ts'

/** One request of {@link startSteadyRequests}, and what its answer must be. */
export interface SteadyRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
}

export interface SteadyResult {
  readonly answered: number
  /** By what went wrong: a status with the problem’s code, or a network error. */
  readonly failed: Readonly<Record<string, number>>
}

/** Between two requests of a lane: the servers may share this process. */
const pauseMs = 5

/**
 * Sends one request after the other, each lane over one kept connection of its own, which is renewed only when an answer
 * ends it. No request is repeated.
 *
 * @param makeRequest called for each request, with the number of the lane.
 */
export function startSteadyRequests(
  port: number,
  lanes: number,
  makeRequest: (lane: number) => SteadyRequest,
): { stop(): Promise<SteadyResult> } {
  const failed: Record<string, number> = {}
  let answered = 0
  let isOver = false
  const running = Array.from({ length: lanes }, async (_, lane) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (; !isOver; await pause(pauseMs)) {
      const wanted = makeRequest(lane)
      const outcome = await send(agent, port, wanted).catch(
        (error: Error & { code?: string }) => error.code ?? error.message,
      )
      if (outcome === String(wanted.status)) answered += 1
      else failed[`${wanted.method} ${outcome}`] = (failed[`${wanted.method} ${outcome}`] ?? 0) + 1
    }
    agent.destroy()
  })
  return {
    stop: async () => {
      isOver = true
      await Promise.all(running)
      return { answered, failed }
    },
  }
}

/** @returns the status, once the whole answer has arrived, with the code of the problem where the product gave one. */
function send(agent: Agent, port: number, { method, path, headers, body }: SteadyRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method, headers: { ...headers } }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (part: string) => {
        text += part
      })
      reply.once('error', reject)
      reply.once('end', () => {
        const code = /problem/.test(reply.headers['content-type'] ?? '') ? /"code":"(\w+)"/.exec(text)?.[1] : undefined
        resolve([reply.statusCode, ...(code === undefined ? [] : [code])].join(' '))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/**
 * A project whose visitors send and a member who reads the inbox, in turn by lane.
 *
 * @param url where the servers answer.
 */
export async function createTraffic(client: pg.Client, url: string) {
  const owner = await createUser(client)
  const organizationId = owner.organizationId ?? ''
  const { widgetKey, domain } = await createProject(client, { organizationId })
  const { supabaseAnonKey: apikey } = (await (await fetch(`${url}/api/v1/config`)).json()) as {
    supabaseAnonKey: string
  }
  const signedIn = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: owner.email, password: builtPassword }),
  })
  const { access_token: token } = (await signedIn.json()) as { access_token: string }
  const submissionIds: string[] = []
  const submit = (): SteadyRequest => {
    const id = crypto.randomUUID()
    submissionIds.push(id)
    return {
      method: 'POST',
      path: `/e/${widgetKey}/submissions`,
      headers: { origin: `https://${domain}`, 'content-type': 'application/json' },
      body: JSON.stringify(makeSubmission({ id, message: `A dark mode, ${id}` })),
      status: 201,
    }
  }
  const read = (): SteadyRequest => ({
    method: 'GET',
    path: `/api/v1/organizations/${organizationId}/feedback`,
    headers: { authorization: `Bearer ${token}` },
    status: 200,
  })
  const makeRequest = (lane: number) => (lane % 2 === 0 ? submit() : read())
  return { organizationId, widgetKey, origin: `https://${domain}`, submissionIds, makeRequest }
}
