import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CreatedIntegration, deliveredEvents } from '#contract/integrations.ts'
import { createFeedback, createProject, createUser, createWorkingKey } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import type {
  ExecuteContext,
  NodeDescription,
  NodeItem,
  WebhookContext,
  WebhookResult,
} from '#widget/sdk/n8n/src/n8n.ts'

/* The nodes as n8n loads them: built, required by the names in package.json, and run against a server. */

interface LoadedClass {
  readonly name: string
  readonly description: NodeDescription
  execute(this: ExecuteContext): Promise<NodeItem[][]>
  webhook(this: WebhookContext): Promise<WebhookResult>
  readonly authenticate: { properties: { headers: Record<string, string> } }
  readonly test: { request: { baseURL: string; url: string } }
}

const root = fileURLToPath(new URL('..', import.meta.url))
let folder: string
let server: TestServer
let session: string
let organizationId: string
let key: string
let itemId: string
const classes: Record<string, LoadedClass> = {}

const load = (name: string): LoadedClass => {
  const found = classes[name]
  if (!found) throw new Error(`${name} was not built`)
  return found
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-n8n-'))
  const build = promisify(execFile)(process.execPath, ['scripts/build-sdk.ts', '--out', folder, '--only', 'n8n'], {
    cwd: root,
  })
  ;[server] = await Promise.all([startTestServer({ SERVICES: 'web,worker' }), build])
  const owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  session = await server.signIn(owner)
  const { id: projectId } = await createProject(server.client, { organizationId })
  for (const message of ['first', 'second', 'third']) {
    itemId = (await createFeedback(server.client, { organizationId, projectId, message })).id
  }
  key = await createWorkingKey(server.client, { organizationId, projectId, scopes: ['read', 'write'] })
  const { n8n } = JSON.parse(await readFile(join(folder, 'n8n/package.json'), 'utf8')) as {
    n8n: { nodes: string[]; credentials: string[] }
  }
  for (const file of [...n8n.nodes, ...n8n.credentials]) {
    const [name = ''] = parse(file).name.split('.')
    const required = createRequire(import.meta.url)(join(folder, 'n8n', file)) as Record<string, new () => LoadedClass>
    const Class = required[name]
    if (!Class) throw new Error(`${file} exports no ${name}`)
    classes[name] = new Class()
  }
}, 60_000)
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** n8n replaces the expressions of a credential by its values. */
const fill = (text: string) => text.replace(/^=/, '').replace('{{$credentials.apiKey}}', key)

/** Runs the node once for each set of parameters. */
async function run(parameters: readonly Record<string, unknown>[], { continues = false } = {}): Promise<NodeItem[]> {
  const context: ExecuteContext = {
    getInputData: () => parameters.map(() => ({ json: {} })),
    getNodeParameter: (name, index, fallback) => parameters[index]?.[name] ?? fallback,
    getCredentials: async () => ({ baseUrl: `${server.url}/`, apiKey: key }),
    continueOnFail: () => continues,
    helpers: {
      httpRequestWithAuthentication: async (name, { method, url, body }) => {
        expect(name).toBe('earshotApi')
        const { headers } = load('EarshotApi').authenticate.properties
        const reply = await fetch(url, {
          method,
          headers: {
            'content-type': 'application/json',
            ...Object.fromEntries(Object.entries(headers).map(([each, value]) => [each, fill(value)])),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
        return reply.json()
      },
    },
  }
  const [output = []] = await load('Earshot').execute.call(context)
  return output
}

describe('the node Earshot', () => {
  it('lists, reads, changes and comments on items', async () => {
    const all = await run([{ operation: 'getAll', limit: 250, filters: {} }])
    expect(all.map(({ json }) => (json as { excerpt: string }).excerpt)).toEqual(['third', 'second', 'first'])
    const few = await run([{ operation: 'getAll', limit: 2, filters: { type: ['bug', 'idea', 'other'], q: '' } }])
    expect(few).toHaveLength(2)
    const changes = { status: 'closed', closedReason: 'duplicate', tags: 'basket, checkout ,' }
    const [changed] = await run([{ operation: 'update', feedbackId: itemId, changes }])
    expect(changed).toMatchObject({
      json: { status: 'closed', closedReason: 'duplicate', tags: ['basket', 'checkout'] },
      pairedItem: { item: 0 },
    })
    const tagged = await run([
      { operation: 'getAll', limit: 50, filters: { tag: 'basket', status: ['closed', 'new'] } },
    ])
    expect(tagged).toMatchObject([{ json: { id: itemId } }])
    await run([{ operation: 'comment', feedbackId: itemId, kind: 'note', text: 'Seen in the logs.' }])
    const [read] = await run([{ operation: 'get', feedbackId: itemId }])
    expect(read).toMatchObject({ json: { id: itemId, comments: [{ text: 'Seen in the logs.' }] } })
  })

  it('fails with the API’s words, or continues with them as the item', async () => {
    const wrong = { operation: 'get', feedbackId: crypto.randomUUID() }
    await expect(run([wrong])).rejects.toThrow('feedback_not_found')
    const outputs = await run([wrong, { operation: 'get', feedbackId: itemId }], { continues: true })
    expect(outputs).toMatchObject([
      { json: { error: expect.stringContaining('feedback_not_found') }, pairedItem: { item: 0 } },
      { json: { id: itemId }, pairedItem: { item: 1 } },
    ])
  })

  it('has its icon, and credentials that can be tested', async () => {
    expect(await readFile(join(folder, 'n8n/dist/nodes/earshot.svg'), 'utf8')).toContain('<svg')
    const { url } = load('EarshotApi').test.request
    const reply = await fetch(server.url + url, { headers: { authorization: `Bearer ${key}` } })
    expect(reply.status).toBe(200)
  })
})

describe('the trigger', () => {
  const results: WebhookResult[] = []
  const refusals: number[] = []
  let secret = ''
  let selected: readonly string[] = []
  let hookServer: Server
  let address: string

  beforeAll(async () => {
    // As n8n: it reads the body, runs the node, and answers unless the node did.
    hookServer = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const incoming: { rawBody?: Uint8Array; readRawBody: () => Promise<void> } = {
        readRawBody: async () => {
          incoming.rawBody = Buffer.concat(chunks)
        },
      }
      const result = await load('EarshotTrigger').webhook.call({
        getCredentials: async () => ({ secret }),
        getNodeParameter: () => selected,
        getHeaderData: () => request.headers,
        getRequestObject: () => incoming,
        getResponseObject: () => ({
          status: (code) => ({
            send: (text) => {
              refusals.push(code)
              response.writeHead(code).end(text)
              return { end: () => {} }
            },
          }),
        }),
      })
      results.push(result)
      if (!result.noWebhookResponse) response.writeHead(200).end()
    })
    await new Promise<void>((resolve) => hookServer.listen(0, '127.0.0.1', resolve))
    // A TCP server has an address of this form.
    address = `http://127.0.0.1:${(hookServer.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => hookServer.close(resolve)))

  it('offers the events that Earshot delivers', () => {
    const [{ options = [] } = {}] = load('EarshotTrigger').description.properties
    expect(options.map((option) => 'value' in option && option.value)).toEqual(deliveredEvents)
  })

  it('starts a workflow with a signed event, and answers others with 401', async () => {
    const call = async <T>(path: string, body?: unknown): Promise<T> => {
      const reply = await server.call(`/api/v1/organizations/${organizationId}${path}`, {
        method: 'POST',
        token: session,
        ...(body !== undefined && { body }),
      })
      // Our own server's answer, by its contract.
      return (await reply.json()) as T
    }
    const created = await call<CreatedIntegration>('/integrations', { type: 'webhook', config: { url: address } })
    const test = () => call<{ status: number }>(`/integrations/${created.id}/test`)
    secret = 'whsec_b3RoZXI='
    expect((await test()).status).toBe(401)
    secret = created.secret ?? ''
    expect((await test()).status).toBe(200)
    expect(results.at(-1)).toMatchObject({ workflowData: [[{ json: { type: 'integration.test', data: {} } }]] })
    selected = ['feedback.created']
    expect((await test()).status).toBe(200)
    expect(results.at(-1)).toEqual({})

    const count = results.length
    for (const headers of [{}, { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }]) {
      expect((await fetch(address, { method: 'POST', headers, body: '{"type":"feedback.created"}' })).status).toBe(401)
    }
    expect(results.slice(count)).toEqual([{ noWebhookResponse: true }, { noWebhookResponse: true }])
    expect(refusals).toEqual([401, 401, 401])
  })
})
