import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import type { IntegrationField, IntegrationType } from '#contract/integrations.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { IntegrationDefinition } from './define-integration.ts'

/** What JSON Schema and its annotations say of a field. */
interface FieldSchema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly string[]
  readonly format?: string
  readonly enum?: readonly string[]
  /** Labels of `enum`, in its order. */
  readonly enumLabels?: readonly string[]
  readonly default?: string | boolean
  readonly secret?: boolean
  /** Required, unless the field that it is replaced by has a value. */
  readonly isNeeded?: boolean
  /** Names a field of the form or an internal one. */
  readonly replacedBy?: string
  /** Not a field of the form: Earshot itself stores it. */
  readonly isInternal?: boolean
}

const maxFieldLength = 8_000

/** A type as its form is drawn from it. */
export function describeType(definition: IntegrationDefinition): IntegrationType {
  const { type, name, category, summary, guide, defaultEvents, tracker, isSigned = false } = definition
  return {
    type,
    name,
    category,
    summary,
    guide,
    fields: listFields(definition),
    defaultEvents: [...defaultEvents],
    direction: tracker ? 'two_way' : 'one_way',
    issues: tracker ? { takes: [...tracker.takes], stages: [...tracker.stages] } : null,
    isSigned,
  }
}

function listFields({ settings }: IntegrationDefinition): IntegrationField[] {
  const required: readonly string[] = settings.required ?? []
  return Object.entries(settings.properties).flatMap(([name, schema]) => {
    const field = readSchema(schema)
    if (field.isInternal) return []
    return {
      name,
      label: field.title ?? name,
      help: field.description ?? null,
      placeholder: field.examples?.[0] ?? null,
      kind: chooseKind(field),
      options: (field.enum ?? []).map((value, at) => ({ value, label: field.enumLabels?.[at] ?? value })),
      isSecret: field.secret === true,
      isRequired: required.includes(name) || field.isNeeded === true,
      replacedBy: field.replacedBy ?? null,
      defaultValue: field.default ?? null,
    }
  })
}

// Annotations of ours stand beside those of JSON Schema, where TypeBox's types don't look.
const readSchema = (schema: TSchema) => schema as unknown as FieldSchema

function chooseKind({ type, format, enum: options }: FieldSchema): IntegrationField['kind'] {
  if (type === 'boolean') return 'switch'
  if (options) return 'choice'
  if (format === 'uri') return 'url'
  return format === 'lines' || format === 'date' ? format : 'text'
}

export interface CheckedSettings {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, unknown>>
}

/**
 * Settings as a type's form takes them, secrets apart. Blank texts count as not given.
 *
 * @throws ProductError `validation_failed`, naming each refused field as `body.config.…`.
 */
export function checkSettings(
  definition: IntegrationDefinition,
  config: Readonly<Record<string, unknown>>,
): CheckedSettings {
  const { properties } = definition.settings
  const unknown = Object.keys(config).find((name) => !(name in properties))
  if (unknown !== undefined) throw invalid(`body.config.${unknown}`, 'is no field of this integration')
  const given = Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) => {
      const trimmed = typeof value === 'string' ? value.trim() : value
      return trimmed === '' || trimmed === null ? [] : [[name, trimmed]]
    }),
  )
  const refused = listRefused(definition, given)
  const fields = refused.length > 0 ? refused : listUnfit(definition, given)
  if (fields.length > 0) throw new ProductError('validation_failed', { fields })
  const isSecret = (name: string) => {
    const schema = properties[name]
    return schema !== undefined && readSchema(schema).secret === true
  }
  const entries = Object.entries(given)
  return {
    settings: Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => isSecret(name))),
  }
}

function listRefused(definition: IntegrationDefinition, given: Readonly<Record<string, unknown>>) {
  const missing = Object.entries(definition.settings.properties)
    .filter(([name, schema]) => {
      const { isNeeded = false, replacedBy = name } = readSchema(schema)
      const isRequired = isNeeded || (definition.settings.required ?? []).includes(name)
      return isRequired && !(name in given) && !(replacedBy in given)
    })
    .map(([name]) => ({ path: `body.config.${name}`, message: 'is required' }))
  const tooLong = Object.entries(given)
    .filter(([, value]) => typeof value === 'string' && (value.length > maxFieldLength || value.includes('\u0000')))
    .map(([name]) => ({ path: `body.config.${name}`, message: 'is too long, or holds characters that no text has' }))
  if (missing.length > 0 || tooLong.length > 0) return [...missing, ...tooLong]
  return Errors(definition.settings, given).map(({ instancePath, message }) => ({
    path: `body.config${instancePath.replaceAll('/', '.')}`,
    message,
  }))
}

/** What the type itself refuses, once its schema is satisfied. */
function listUnfit(definition: IntegrationDefinition, given: Readonly<Record<string, unknown>>) {
  return Object.entries(definition.checkSettings?.(given) ?? {}).map(([name, message]) => ({
    path: `body.config.${name}`,
    message,
  }))
}
