import type { ExecuteContext, HttpRequest, NodeDescription, NodeItem } from './n8n.ts'
import { nodeFields } from './node-fields.ts'

/** What Earshot answers at most at once. */
const maxPage = 100

/** Reads and changes feedback of one project, by its API key. */
export class Earshot {
  readonly description: NodeDescription = {
    displayName: 'Earshot',
    name: 'earshot',
    icon: 'file:earshot.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Read and change website feedback',
    defaults: { name: 'Earshot' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'earshotApi', required: true }],
    properties: nodeFields,
  }

  /** Called by n8n with the items of the node before. */
  async execute(this: ExecuteContext): Promise<NodeItem[][]> {
    const made: NodeItem[] = []
    for (const index of this.getInputData().keys()) {
      const pairedItem = { item: index }
      try {
        const found = await runOperation(this, index)
        made.push(...found.map((json) => ({ json, pairedItem })))
      } catch (error) {
        if (!this.continueOnFail()) throw error
        made.push({ json: { error: error instanceof Error ? error.message : String(error) }, pairedItem })
      }
    }
    return [made]
  }
}

type Values = Readonly<Record<string, unknown>>

async function runOperation(context: ExecuteContext, index: number): Promise<readonly unknown[]> {
  const read = (name: string, fallback?: unknown) => context.getNodeParameter(name, index, fallback)
  // The form's type.
  const readValues = (name: string) => read(name, {}) as Values
  const operation = read('operation')
  if (operation === 'getAll') return listItems(context, Number(read('limit')), readValues('filters'))
  const path = `/feedback/${encodeURIComponent(String(read('feedbackId')))}`
  if (operation === 'get') return [await ask(context, 'GET', path)]
  if (operation === 'update') return [await ask(context, 'PATCH', path, toChange(readValues('changes')))]
  if (operation === 'comment') {
    return [await ask(context, 'POST', `${path}/comments`, { kind: read('kind'), text: read('text') })]
  }
  throw new Error(`Earshot has no operation “${String(operation)}”.`)
}

async function listItems(context: ExecuteContext, limit: number, filters: Values): Promise<readonly unknown[]> {
  const items: unknown[] = []
  let cursor: string | null = null
  do {
    const query = toQuery(filters)
    query.set('limit', String(Math.min(maxPage, limit - items.length)))
    if (cursor !== null) query.set('cursor', cursor)
    // The API's answer, by its contract.
    const page = (await ask(context, 'GET', `/feedback?${query}`)) as { items: unknown[]; nextCursor: string | null }
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && items.length < limit)
  return items
}

/** A list is repeated: `status=new&status=open`. */
function toQuery(filters: Values): URLSearchParams {
  const entries = Object.entries({ ...filters, ...splitTags(filters, 'tag') }).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (each === '' || each === undefined ? [] : [[name, String(each)]])),
  )
  return new URLSearchParams(entries)
}

const toChange = (changes: Values) => ({ ...changes, ...splitTags(changes, 'tags') })

function splitTags(values: Values, name: string): Values {
  const { [name]: text } = values
  if (typeof text !== 'string') return {}
  return { [name]: text.split(',').flatMap((tag) => tag.trim() || []) }
}

async function ask(
  context: ExecuteContext,
  method: HttpRequest['method'],
  path: string,
  body?: Values,
): Promise<unknown> {
  const { baseUrl } = await context.getCredentials('earshotApi')
  const url = `${String(baseUrl).replace(/\/+$/, '')}/api/v1${path}`
  const request: HttpRequest = { method, url, json: true, ...(body && { body }) }
  return context.helpers.httpRequestWithAuthentication.call(context, 'earshotApi', request)
}
