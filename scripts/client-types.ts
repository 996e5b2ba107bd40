import type { TSchema } from 'typebox'
import * as conversation from '#contract/conversation.ts'
import * as feedback from '#contract/feedback.ts'
import * as publicApi from '#contract/public-api.ts'
import * as publicExports from '#contract/public-exports.ts'
import * as publicVisitors from '#contract/public-visitors.ts'
import type { RouteContract } from '#contract/route.ts'
import { VisitorListItem } from '#contract/visitors.ts'
import * as widget from '#contract/widget.ts'

/*
 * Types and addresses of the package @earshot/client, written from the contracts of the public API. The package depends on
 * nothing, so its types are spelled out.
 */

/** Schemas that get a name of their own. */
const named = new Map<TSchema, string>([
  [publicApi.KeyProject, 'Project'],
  [feedback.FeedbackListItem, 'FeedbackListItem'],
  [feedback.FeedbackDetail, 'FeedbackDetail'],
  [feedback.RelatedItem, 'RelatedItem'],
  [feedback.FeedbackEvent, 'FeedbackEvent'],
  [conversation.FeedbackComment, 'FeedbackComment'],
  [widget.Receipt, 'Receipt'],
  [publicApi.NewApiFeedback, 'NewFeedback'],
  [publicApi.KeyEvent, 'FeedbackChangeEvent'],
  [publicExports.KeyExport, 'Export'],
  [VisitorListItem, 'VisitorListItem'],
  [publicVisitors.KeyVisitor, 'Visitor'],
])

/** Every operation that a key may call. */
const keyContracts: readonly RouteContract[] = Object.values({ ...publicApi, ...publicExports, ...publicVisitors })
  .filter((value): value is typeof value & RouteContract => 'operationId' in value)
  .sort((one, other) => (one.operationId < other.operationId ? -1 : 1))

/** The name of an operation in the package: `apiListFeedback` is `listFeedback`. */
function toMethodName(operationId: string): string {
  return operationId.replace(/^api([A-Z])/, (_, letter: string) => letter.toLowerCase())
}

/** The source of `operations.generated.ts`. */
export function printClient(): string {
  const types = [...named].map(([schema, name]) => `export interface ${name} ${toType(schema, true)}`)
  const methods = keyContracts.map((contract) => {
    const options = ['signal?: AbortSignal']
    if (contract.method === 'POST') options.push('idempotencyKey?: string')
    if (contract.headers && 'if-match' in contract.headers.properties) options.push('ifVersion?: number')
    return `  /** ${contract.summary}. */
  ${toMethodName(contract.operationId)}(${toInput(contract)}, options?: { ${options.join('; ')} }): Promise<${toResult(contract)}>`
  })
  const table = keyContracts.map((contract) => {
    const { operationId, method, path } = contract
    return `  ${toMethodName(operationId)}: ['${method}', '${path}'${isFile(contract) ? ", 'file'" : ''}],`
  })
  return `// Generated from the contracts of the public API by \`npm run documents\`. Do not edit.

${types.join('\n\n')}

export interface Operations {
${methods.join('\n')}
}

export const operations = {
${table.join('\n')}
} as const
`
}

/** What a method resolves to: of a file the whole response, so that it can be read as it arrives. */
function toResult(contract: RouteContract): string {
  const reply = Object.values(contract.replies)[0]
  if (isFile(contract)) return 'Response'
  return reply ? toType(reply) : 'void'
}

function isFile({ replies }: RouteContract): boolean {
  return Object.values(replies).some((reply) => 'contentMediaType' in reply)
}

/** Path, query and body in one object: no two of them have a name in common. */
function toInput({ params, query, body }: RouteContract): string {
  const parts = [params, query, body].filter((part) => part !== undefined)
  if (parts.length === 0) return 'input?: Record<string, never>'
  // TypeBox schemas are JSON Schema.
  const isOptional = parts.every((part) => ((part as JsonSchema).required ?? []).length === 0)
  return `input${isOptional ? '?' : ''}: ${parts.map((part) => toType(part)).join(' & ')}`
}

/** What of JSON Schema the contracts use. */
interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

/** A schema as a TypeScript type. */
function toType(schema: TSchema, isDefinition = false): string {
  const name = named.get(schema)
  if (name !== undefined && !isDefinition) return name
  // TypeBox schemas are JSON Schema.
  const json = schema as JsonSchema
  const { type, enum: values, const: only, anyOf, items, properties, patternProperties, required } = json
  if (values) return values.map((value) => `'${String(value)}'`).join(' | ')
  if (only !== undefined) return JSON.stringify(only)
  if (anyOf) return anyOf.map((each) => toType(each)).join(' | ')
  if (items) return /[ |]/.test(toType(items)) ? `(${toType(items)})[]` : `${toType(items)}[]`
  if (properties) {
    const members = Object.entries(properties).map(
      ([key, value]) => `${key}${required?.includes(key) ? '' : '?'}: ${toType(value)}`,
    )
    return `{ ${members.join('; ')} }`
  }
  if (patternProperties) return `Record<string, ${toType(Object.values(patternProperties)[0] ?? {})}>`
  return (
    { integer: 'number', number: 'number', string: 'string', boolean: 'boolean', null: 'null' }[type ?? ''] ?? 'unknown'
  )
}
