import type { Placeholder } from '#contract/reply-templates.ts'

/** What a template's placeholders stand for; undefined: not known of this item. */
export type PlaceholderValues = Readonly<Record<Placeholder, string | undefined>>

const pattern = /\{\{\s*([^{}\s][^{}\n]{0,59}?)\s*\}\}/g

/** The template's text with its placeholders filled in. Those without a value stay: {@link findPlaceholders} finds them. */
export function fillTemplate(text: string, values: PlaceholderValues): string {
  return text.replace(pattern, (placeholder, name: string) => {
    // Names that are none have no value.
    const value = Object.hasOwn(values, name) ? values[name as Placeholder] : undefined
    return value === undefined || value.trim() === '' ? placeholder : value
  })
}

/** Placeholders in a text, each once: `{{visitor.name}}`. */
export function findPlaceholders(text: string): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => `{{${name}}}`))]
}
