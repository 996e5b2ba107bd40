import type { Prefill, Stage } from '../loader/stage.ts'
import type { Values } from './state.ts'

const key = 'earshot.draft'
// The page's own will do: without it there are no drafts.
const { JSON: json } = window

/** This tab's draft, kept over reloads; empty without a draft or where storage is off. */
export function loadDraft({ settings }: Stage): Values {
  try {
    if (settings.storage !== false) return json.parse(sessionStorage.getItem(key) ?? '{}')
  } catch {
    // Blocked.
  }
  return {}
}

/** @param values undefined: deletes the draft */
export function saveDraft({ settings }: Stage, values?: Values): void {
  try {
    if (values && settings.storage !== false) sessionStorage.setItem(key, json.stringify(values))
    else sessionStorage.removeItem(key)
  } catch {
    // Blocked: the draft lives as long as the page.
  }
}

/** The site's prefill, as values of the form's fields. */
export function readPrefill({ fields, ...own }: Prefill): Values {
  const values: Values = {}
  for (const [name, value] of Object.entries(own)) values[name] = `${value}`
  for (const [id, value] of Object.entries(fields ?? {})) values[`_${id}`] = value
  return values
}
