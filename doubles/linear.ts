/*
 * Linear for tests: the emulator's own GraphQL API and webhooks, behind a thin layer with what it lacks of the documented
 * API (https://linear.app/developers/graphql): filters, trashed issues, refused tokens, rights and limits.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEmulator } from 'emulate'
import { findFreePort } from './free-port.ts'

/** A running double, with the team `WEB` of the workspace `Acme`. */
export interface LinearDouble {
  /** Of the GraphQL API. */
  readonly url: string
  /** Those that are accepted, and whether each is an admin's. */
  readonly tokens: Map<string, { readonly isAdmin: boolean }>
  /** Requests that Linear does not document. */
  readonly refused: readonly string[]
  /** Ids of issues in the trash. */
  readonly trashed: Set<string>
  /** New names of statuses, by their first ones. */
  readonly renamed: Map<string, string>
  /** Until when requests are refused because a limit is used up, in milliseconds since 1970. */
  limitedUntilMs: number
  /** Carries out the next new issue, and breaks the connection off instead of answering. */
  loseNextAnswer(): void
  /** Asks as a person in Linear would. @throws Error for GraphQL's errors. */
  ask<Data>(query: string, variables?: object): Promise<Data>
  stop(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly json: {
    readonly data?: unknown
    readonly errors?: readonly { readonly message: string; readonly extensions?: object }[]
  }
  readonly headers?: Readonly<Record<string, string>>
}
interface Asked {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}
type Fields = Readonly<Record<string, unknown>>

const seed = {
  organization: { name: 'Acme', url_key: 'acme' },
  users: [
    { email: 'ada@example.com', name: 'Ada Lovelace', admin: true },
    { email: 'grace@example.com', name: 'Grace Hopper' },
  ],
  teams: [
    {
      key: 'WEB',
      name: 'Website',
      states: [
        { name: 'Triage', type: 'triage' },
        { name: 'Backlog', type: 'backlog' },
        { name: 'Todo', type: 'unstarted' },
        { name: 'In Progress', type: 'started' },
        { name: 'In Review', type: 'started' },
        { name: 'Done', type: 'completed' },
        { name: 'Canceled', type: 'canceled' },
        { name: 'Duplicate', type: 'duplicate' },
      ],
    },
  ],
  labels: [
    { name: 'Bug', team: 'WEB' },
    { name: 'Customer', color: '#2563eb' },
  ],
  tokens: [{ token: 'lin_api_of_ada', user: 'ada@example.com', scopes: ['read', 'write', 'admin'] }],
}

/** Filters that the emulator lacks: what is listed by them, and the fields that they look at. */
const filters: Readonly<Record<string, { readonly field: string; readonly looksAt: string }>> = {
  IssueFilter: { field: 'issues', looksAt: 'description updatedAt team { key }' },
  CommentFilter: { field: 'comments', looksAt: 'updatedAt issue { team { key } }' },
  IssueLabelFilter: { field: 'issueLabels', looksAt: 'name team { id }' },
}
/** Documented fields of those filters, as far as the product uses them. */
const filterFields = ['and', 'or', 'team', 'issue', 'id', 'key', 'name', 'isGroup', 'description', 'updatedAt']

/** Starts it on the loopback interface. */
export async function startLinearDouble(): Promise<LinearDouble> {
  const port = await findFreePort()
  const emulator = await createEmulator({ service: 'linear', port, seed: { linear: seed } })
  const forward = async ({ query, variables }: Asked): Promise<Answer> => {
    const headers = { authorization: 'lin_api_of_ada', 'content-type': 'application/json' }
    const body = JSON.stringify({ query, variables })
    const answer = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body })
    // GraphQL's answers are objects.
    return { status: answer.status, json: (await answer.json()) as Answer['json'] }
  }
  const refused: string[] = []
  let losesNext = false
  const double = {
    tokens: new Map<string, { isAdmin: boolean }>(),
    trashed: new Set<string>(),
    renamed: new Map<string, string>(),
    limitedUntilMs: 0,
  }
  const server = createServer((request, response) => {
    void readRequest(request).then(async (asked) => {
      const refusal = refuse(double, request, asked)
      const { status, json, headers } =
        refusal ?? (await translate(asked, forward, { refused, trashed: double.trashed }))
      if (losesNext && !refusal && asked.query.includes('issueCreate(')) {
        losesNext = false
        response.destroy()
        return
      }
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(rename(JSON.stringify(json), double.renamed))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server has an address of this form.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  return Object.assign(double, {
    url,
    refused,
    loseNextAnswer: () => {
      losesNext = true
    },
    ask: async <Data>(query: string, variables = {}) => {
      const { json } = await forward({ query, variables: { ...variables } })
      if (json.errors) throw new Error(JSON.stringify(json.errors))
      // As the caller's query says.
      return json.data as Data
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await emulator.close()
    },
  })
}

function refuse(
  { tokens, limitedUntilMs }: Pick<LinearDouble, 'tokens' | 'limitedUntilMs'>,
  { headers: { authorization = '' } }: IncomingMessage,
  { query }: Asked,
): Answer | undefined {
  const [, bearer] = /^Bearer (.+)$/.exec(authorization) ?? []
  const token = tokens.get(bearer ?? authorization)
  const isKey = (bearer ?? authorization).startsWith('lin_api_')
  // Linear wants API keys as they are, and access tokens as bearer tokens.
  if (!token || isKey !== (bearer === undefined))
    return fail(401, 'AUTHENTICATION_ERROR', 'Authentication required, not authenticated')
  if (limitedUntilMs > Date.now()) {
    const headers = {
      'x-ratelimit-requests-remaining': '0',
      'x-ratelimit-requests-reset': String(limitedUntilMs),
      'x-ratelimit-complexity-remaining': '1000',
      'x-ratelimit-complexity-reset': String(Date.now() + 3_600_000),
    }
    return { ...fail(400, 'RATELIMITED', 'Rate limit exceeded'), headers }
  }
  // Workspaces can let admins alone add labels.
  if (!token.isAdmin && /webhook|issueLabelCreate/i.test(query))
    return fail(400, 'FORBIDDEN', 'You need to be an admin')
  return undefined
}

const fail = (status: number, code: string, message: string): Answer => ({
  status,
  json: { errors: [{ message, extensions: { code, userError: true } }] },
})

/** Asks the emulator without what it does not know, and adds that to its answer. */
async function translate(
  asked: Asked,
  forward: (asked: Asked) => Promise<Answer>,
  { refused, trashed }: { refused: string[]; trashed: ReadonlySet<string> },
): Promise<Answer> {
  const [declared, type = ''] = /\$filter: (\w+)!(?:, )?/.exec(asked.query) ?? []
  const { filter, ...variables } = asked.variables
  const known = asked.query.replace(/ trashed| (?:externalUser|botActor) \{[^}]*\}/g, '')
  const listed = filters[type]
  if (!listed || declared === undefined) return explain(await forward({ ...asked, query: known }), trashed)
  const wanted = toFields(filter)
  const unknown = listFields(wanted).find((field) => !filterFields.includes(field))
  if (unknown !== undefined) {
    refused.push(`${type}.${unknown}`)
    return fail(400, 'GRAPHQL_VALIDATION_FAILED', `Field "${unknown}" is not defined by type "${type}".`)
  }
  const query = known
    .replace(declared, '')
    .replace('query () ', 'query ')
    .replace(/, filter: \$filter| orderBy: updatedAt,/g, '')
    .replace(/first: \d+/, 'first: 10000')
    .replace('nodes {', `nodes { ${listed.looksAt}`)
  const { status, json } = await forward({ query, variables })
  const first = Number(/first: (\d+)/.exec(asked.query)?.[1])
  // The list that the query asks for.
  const nodes = (json.data as Record<string, { nodes: Fields[] }> | undefined)?.[listed.field]?.nodes ?? []
  const found = nodes.filter((node) => matches({ isGroup: false, ...node }, wanted))
  const pageInfo = { hasNextPage: false, endCursor: null }
  return { status, json: { ...json, data: { [listed.field]: { nodes: found.slice(0, first), pageInfo } } } }
}

/** Says in Linear's words what does not exist, and what is in the trash. */
function explain({ status, json }: Answer, trashed: ReadonlySet<string>): Answer {
  // What the product asks for by its id; or the emulator's error.
  const { issue } = (json.data ?? {}) as { issue?: { id: string } | null }
  const [error] = json.errors ?? []
  const [, what] = /^(\w+) not found/.exec(error?.message ?? (issue === null ? 'Issue not found' : '')) ?? []
  if (what !== undefined) return fail(200, 'INPUT_ERROR', `Entity not found: ${what}`)
  return issue ? { status, json: { data: { issue: { ...issue, trashed: trashed.has(issue.id) } } } } : { status, json }
}

const rename = (json: string, renamed: LinearDouble['renamed']): string =>
  [...renamed].reduce((text, [from, to]) => text.replaceAll(`"name":"${from}"`, `"name":"${to}"`), json)

const comparators = ['eq', 'eqIgnoreCase', 'gte', 'contains', 'null']

/** Names of the fields that a filter looks at. */
function listFields(filter: Fields): string[] {
  return Object.entries(filter).flatMap(([field, wanted]) => {
    if (comparators.includes(field)) return []
    return [field, ...[wanted].flat().flatMap((each) => listFields(toFields(each)))]
  })
}

function matches(value: Fields, filter: Fields): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    if (field === 'and') return [wanted].flat().every((each) => matches(value, toFields(each)))
    if (field === 'or') return [wanted].flat().some((each) => matches(value, toFields(each)))
    const inner = toFields(wanted)
    if (Object.keys(inner).some((each) => comparators.includes(each))) return compare(value[field], inner)
    return value[field] !== null && matches(toFields(value[field]), inner)
  })
}

/** Filters and nodes are objects. */
function toFields(value: unknown): Fields {
  return Object.fromEntries(Object.entries(value ?? {}))
}

function compare(found: unknown, { eq, eqIgnoreCase, gte, contains, null: isNull }: Fields): boolean {
  const text = String(found)
  return (
    (eq === undefined || found === eq) &&
    (eqIgnoreCase === undefined || text.toLowerCase() === String(eqIgnoreCase).toLowerCase()) &&
    (gte === undefined || Date.parse(text) >= Date.parse(String(gte))) &&
    (contains === undefined || text.includes(String(contains))) &&
    (isNull === undefined || (found === null) === isNull)
  )
}

async function readRequest(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  // Without an encoding, a stream gives bytes.
  for await (const chunk of request) chunks.push(chunk as Buffer)
  // GraphQL's requests are objects.
  return JSON.parse(Buffer.concat(chunks).toString()) as Asked
}
