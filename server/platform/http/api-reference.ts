import { inspect } from 'node:util'
import type { RouteContract } from '#contract/route.ts'

/*
 * The API as programs with a key see it: the operations that take one, each with an example in curl and JavaScript that
 * runs as it stands, once EARSHOT_API_KEY is set.
 */

/** What of an OpenAPI document this reads and changes. */
interface ApiDocument {
  readonly info?: object
  readonly paths?: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components?: { readonly securitySchemes?: Readonly<Record<string, unknown>> }
}

interface ApiOperation {
  readonly operationId?: string
  readonly description?: string
}

const description = `An API key belongs to one project and reaches that project alone. Owners create keys in the project’s
tab “API keys”. Send a key as \`Authorization: Bearer es_…\`, from servers only.

**Errors** are problem documents (RFC 9457) with a stable \`code\`; \`fields\` names each refused value.

**Lists** return \`nextCursor\`; send it as \`cursor\` for the next page, until it is null.

**Retries**: send an \`Idempotency-Key\` with each POST. A retry with the same key within 24 hours gets the first answer, with
the header \`Idempotent-Replayed: true\`. The same key with another body is refused with 422, and with 409 while the first
request runs.

**Changes**: an item’s \`ETag\` is its version. With \`If-Match\`, a PATCH is refused with 412 if the item has changed.

**Limits**: \`RateLimit-Policy\` and \`RateLimit\` say how many calls the key has and how many are left. A 429 or 503 names in
\`Retry-After\` the seconds to wait.

**Exports** are written in the background: read the export until its state is \`ready\`, then fetch its file. The scope
\`read\` is enough. They count towards the organisation’s limits of exports.

**Visitors** are known from the items of the key’s project alone. Merged visitors are listed apart, by the id or address that
their items carry. A key erases a visitor in its own project only; members do so over all projects.

**JavaScript**: \`npm install @earshot/client\`.`

/** The document with the operations of keys alone, and examples. */
export function describeForKeys(
  printed: object,
  contracts: readonly RouteContract[],
  host: string,
): Record<string, unknown> {
  // OpenAPI 3.1, whose types leave every member open.
  const document = printed as ApiDocument
  const byId = new Map(
    contracts.filter(({ access }) => access.kind === 'api_key').map((contract) => [contract.operationId, contract]),
  )
  const paths = Object.entries(document.paths ?? {}).flatMap(([path, methods]) => {
    const own = Object.entries(methods).flatMap(([method, operation]) => {
      const contract = byId.get(operation.operationId ?? '')
      return contract ? [[method, { ...operation, ...writeExamples(contract, host) }] as const] : []
    })
    return own.length > 0 ? [[path, Object.fromEntries(own)] as const] : []
  })
  const { accessToken: _, ...securitySchemes } = document.components?.securitySchemes ?? {}
  return {
    ...document,
    info: { ...document.info, description },
    components: { ...document.components, securitySchemes },
    paths: Object.fromEntries(paths),
  }
}

function writeExamples(contract: RouteContract, host: string) {
  const samples = [
    { lang: 'curl', label: 'curl', source: writeCurl(contract, host) },
    { lang: 'javascript', label: 'JavaScript', source: writeJavaScript(contract, host) },
  ]
  const code = samples
    .map(({ lang, source }) => `\`\`\`${lang === 'curl' ? 'sh' : 'js'}\n${source}\n\`\`\``)
    .join('\n\n')
  return { description: code, 'x-codeSamples': samples }
}

function writeCurl({ method, path, params, body, example = {} }: RouteContract, host: string): string {
  const names = new Set(Object.keys(params?.properties ?? {}))
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(example[name]))
  const rest = Object.entries(example).filter(([name]) => !names.has(name))
  const lines = ['--header "Authorization: Bearer $EARSHOT_API_KEY"']
  if (body) {
    // Within single quotes, the shell replaces no variable: these stand between two quoted parts.
    const json = JSON.stringify(Object.fromEntries(rest))
      .replaceAll("'", "'\\''")
      .replaceAll(/\$(\w+)/g, `'"$$$1"'`)
    lines.push("--header 'Content-Type: application/json'", `--data '${json}'`)
  }
  if (method !== 'GET') lines.unshift(`--request ${method}`)
  const query = new URLSearchParams(
    body ? [] : rest.flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
  ).toString()
  return [`curl "${host}${address}${query && `?${query}`}"`, ...lines].join(' \\\n  ')
}

function writeJavaScript({ operationId, example }: RouteContract, host: string): string {
  const name = operationId.replace(/^api([A-Z])/, (_, letter: string) => letter.toLowerCase())
  const input = example
    ? inspect(example, { depth: 9, breakLength: Number.POSITIVE_INFINITY, compact: true }).replaceAll(
        /'\$(\w+)'/g,
        'process.env.$1',
      )
    : ''
  return `import { createClient } from '@earshot/client'

const earshot = createClient({ host: '${host}', key: process.env.EARSHOT_API_KEY })
console.log(await earshot.${name}(${input}))`
}
