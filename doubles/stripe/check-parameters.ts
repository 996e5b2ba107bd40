import type { FormFields, FormValue } from './form.ts'
import type { ParameterShape, ParameterType } from './parameter-types.ts'
import { refuse } from './refusal.ts'

/** These are not whole numbers. */
const fractions = /(^|\[)(percent_off|application_fee_percent|amount_percent)\]?$/
const maxTextLength = 5000

/**
 * Reads decoded parameters by their declared types: numbers and booleans come as texts.
 * @throws StripeRefusal as Stripe refuses unknown, missing and wrong ones
 */
export function checkParameters(fields: FormFields, shape: ParameterShape, path = ''): Record<string, unknown> {
  const name = (key: string) => (path === '' ? key : `${path}[${key}]`)
  for (const key of fields.keys())
    if (!shape.has(key)) throw refuse(`Received unknown parameter: ${name(key)}`, name(key), 'parameter_unknown')
  for (const [key, { isRequired }] of shape)
    if (isRequired && !fields.has(key))
      throw refuse(`Missing required param: ${name(key)}.`, name(key), 'parameter_missing')
  const entries = [...fields].map(([key, value]) => [key, read(value, shape.get(key)?.types ?? [], name(key))] as const)
  return Object.fromEntries(entries)
}

function read(value: FormValue, types: readonly ParameterType[], param: string): unknown {
  return typeof value === 'string' ? readText(value, types, param) : readFields(value, types, param)
}

function readText(value: string, types: readonly ParameterType[], param: string): unknown {
  const has = (kind: ParameterType['kind']) => types.some((type) => type.kind === kind)
  if (value === '') {
    if (has('empty') || has('map')) return ''
    const message = `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`
    throw refuse(message, param, 'parameter_invalid_empty')
  }
  if (value.length > maxTextLength)
    throw refuse(`Invalid string: must be at most ${maxTextLength} characters`, param, 'parameter_invalid_string')
  if (types.some((type) => type.kind === 'value' && type.value === value)) return value
  if (has('boolean') && (value === 'true' || value === 'false')) return value === 'true'
  if (has('number') && isNumber(value, param)) return Number(value)
  if (has('decimal') && /^-?\d+(\.\d{1,12})?$/.test(value)) return value
  if (has('text')) return value
  throw describeMismatch(value, types, param)
}

function isNumber(value: string, param: string): boolean {
  if (fractions.test(param)) return /^-?\d+(\.\d+)?$/.test(value)
  return /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value))
}

function describeMismatch(value: string, types: readonly ParameterType[], param: string) {
  const values = types.flatMap((type) => (type.kind === 'value' ? [type.value] : []))
  if (values.length > 0) return refuse(`Invalid ${param}: must be one of ${values.slice(0, 40).join(', ')}`, param)
  const kinds = types.map(({ kind }) => kind)
  if (kinds.includes('number')) return refuse(`Invalid integer: ${value}`, param, 'parameter_invalid_integer')
  if (kinds.includes('boolean')) return refuse(`Invalid boolean: ${value}`, param)
  if (kinds.includes('list')) return refuse('Invalid array', param)
  return refuse('Invalid object', param)
}

function readFields(fields: FormFields, types: readonly ParameterType[], param: string): unknown {
  for (const type of types) {
    if (type.kind === 'list' && [...fields.keys()].every((key, place) => key === String(place)))
      return [...fields].map(([key, value]) => read(value, type.of, `${param}[${key}]`))
    if (type.kind === 'map')
      return Object.fromEntries(
        [...fields].map(([key, value]) => [key, readMapped(value, type.of, `${param}[${key}]`)]),
      )
    if (type.kind === 'object') return checkParameters(fields, type.shape(), param)
  }
  throw refuse(types.some(({ kind }) => kind === 'list') ? 'Invalid array' : `Invalid string: ${param}`, param)
}

/** An empty text unsets one key of metadata. */
function readMapped(value: FormValue, types: readonly ParameterType[], param: string): unknown {
  if (value === '') return ''
  return typeof value === 'string' && types.some(({ kind }) => kind === 'text') ? value : read(value, types, param)
}
