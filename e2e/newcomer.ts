import { randomUUID } from 'node:crypto'

/** Who has just signed up to an instance that confirms addresses by itself, and has a project. Knows HTTP alone. */
export interface Newcomer {
  readonly url: string
  readonly token: string
  /** Address of the API of their organisation. */
  readonly own: string
  readonly project: { readonly id: string; readonly widgetKey: string }
  /** Calls an address with their token. @throws Error for an answer that is no 2xx. */
  call<Answer>(url: string, init?: RequestInit): Promise<Answer>
  /** Sends feedback as a visitor of the project's website. */
  submit(message: string, more?: object): Promise<{ id: string; number: number }>
  /** The excerpts in their inbox. */
  readInbox(): Promise<string[]>
}

const websiteOrigin = 'https://shop.example'

/** A request with a body. */
export const post = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })

/** Signs up and creates a project for {@link websiteOrigin}. */
export async function signUp(url: string): Promise<Newcomer> {
  const { supabaseAnonKey } = await ask<{ supabaseAnonKey: string }>(`${url}/api/v1/config`)
  const { access_token: token } = await ask<{ access_token: string }>(`${url}/auth/v1/signup`, {
    ...post({
      email: 'ada@example.com',
      password: 'correct horse battery',
      data: { organization_name: 'Analytical' },
    }),
    headers: { apikey: supabaseAnonKey },
  })
  const call: Newcomer['call'] = (address, init = {}) =>
    ask(address, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  const { items } = await call<{ items: { id: string }[] }>(`${url}/api/v1/organizations`)
  const own = `${url}/api/v1/organizations/${items[0]?.id}`
  const project = await call<Newcomer['project']>(`${own}/projects`, post({ name: 'Shop', domain: 'shop.example' }))
  return {
    url,
    token,
    own,
    project,
    call,
    submit: (message, more = {}) =>
      ask(`${url}/e/${project.widgetKey}/submissions`, {
        ...post({
          ...{ id: randomUUID(), type: 'bug', message, page: { url: `${websiteOrigin}/basket` } },
          ...{ guard: { elapsedMs: 20_000 }, ...more },
        }),
        headers: { origin: websiteOrigin },
      }),
    async readInbox() {
      const { items: found } = await call<{ items: { excerpt: string }[] }>(`${own}/feedback`)
      return found.map(({ excerpt }) => excerpt)
    },
  }
}

async function ask<Answer>(url: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { ...(init.body != null && { 'content-type': 'application/json' }), ...init.headers }
  const reply = await fetch(url, { ...init, headers })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`)
  // As the contracts say, which the compiler can't know here.
  return (text === '' ? null : JSON.parse(text)) as Answer
}
