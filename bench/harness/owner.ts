import { builtPassword, createProject, createUser } from '#server/testing/builders.ts'
import type { BenchServer } from './server.ts'

/** An owner with a project, who calls the API. */
export interface BenchOwner {
  readonly organizationId: string
  readonly project: { readonly widgetKey: string; readonly domain: string; readonly id: string }
  /** Calls the API below the organisation. @throws Error for an answer that is no 2xx. */
  call<Answer>(path: string, options?: { method?: string; body?: unknown }): Promise<Answer>
  /** Connects an integration. */
  connect(integration: { type: string; config: object; events?: readonly string[] }): Promise<{
    id: string
    secret?: string
  }>
}

export async function makeOwner(server: BenchServer): Promise<BenchOwner> {
  const { email, organizationId } = await createUser(server.sql)
  if (organizationId === undefined) throw new Error('sign-up created no organisation')
  const project = await createProject(server.sql, { organizationId, domain: 'shop.example.com' })
  const token = await signIn(server, email)
  const call: BenchOwner['call'] = async <Answer>(
    path: string,
    { method, body }: { method?: string; body?: unknown } = {},
  ) => {
    const reply = await fetch(`${server.url}/api/v1/organizations/${organizationId}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    // Our own server's answer, by its contract.
    return (reply.status === 204 ? null : await reply.json()) as Answer
  }
  return { organizationId, project, call, connect: (body) => call('/integrations', { body }) }
}

/** The access token of a user from a builder. */
export async function signIn({ url }: Pick<BenchServer, 'url'>, email: string): Promise<string> {
  const { supabaseAnonKey: apikey } = (await (await fetch(`${url}/api/v1/config`)).json()) as {
    supabaseAnonKey: string
  }
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: builtPassword }),
  })
  const { access_token: token } = (await reply.json()) as { access_token: string }
  return token
}
