import type { Prefill, Stage } from '../loader/stage.ts'
import type { Values } from './state.ts'

const key = 'earshot.draft'

/** What this tab's visitor had written, also before a reload; empty when there is none or storage is not to be used. */
export function loadDraft({ settings }: Stage): Values {
  try {
    if (settings.storage) return JSON.parse(sessionStorage.getItem(key) ?? '{}')
  } catch {
    // Blocked.
  }
  return {}
}

/** @param values undefined: there is nothing to keep any more */
export function saveDraft({ settings }: Stage, values?: Values): void {
  try {
    if (values && settings.storage) sessionStorage.setItem(key, JSON.stringify(values))
    else sessionStorage.removeItem(key)
  } catch {
    // Blocked: the draft lives as long as the page.
  }
}

/** The site's own wishes for the form, as values of its fields. */
export function readPrefill({ fields, ...own }: Prefill): Values {
  const values: Values = {}
  for (const [name, value] of Object.entries(own)) values[name] = `${value}`
  for (const [id, value] of Object.entries(fields ?? {})) values[`_${id}`] = value
  return values
}
