import { refuse } from './refusal.ts'

/** A decoded parameter: a text, or the parameters below its name by their names or places. */
export type FormValue = string | FormFields
export type FormFields = Map<string, FormValue>

/** Decodes `items[0][price]=p&expand[]=x`, the form encoding of Stripe's requests and queries. @throws StripeRefusal */
export function decodeForm(text: string): FormFields {
  const fields: FormFields = new Map()
  for (const [name, value] of new URLSearchParams(text)) put(fields, name, value)
  return fields
}

function put(fields: FormFields, name: string, value: string): void {
  const [, first, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  if (first === undefined) throw refuse(`Invalid parameter name: ${name}`, name)
  const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)]
  let at = fields
  for (const part of path.slice(0, -1)) {
    const key = part === '' ? String(at.size) : part
    const below = at.get(key) ?? new Map<string, FormValue>()
    if (typeof below === 'string') throw refuse(`Invalid object: ${name}`, name)
    at.set(key, below)
    at = below
  }
  const last = path.at(-1) ?? ''
  at.set(last === '' ? String(at.size) : last, value)
}
