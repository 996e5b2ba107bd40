import type { EmailTemplate, EmailTemplateLine } from '#contract/email-templates.ts'
import { checkWords } from './check-words.ts'
import { watchValues } from './present-words.ts'
import { samples } from './samples/samples.ts'
import type { StoredWords } from './stored-words.queries.ts'
import type { Template, Words } from './template.ts'
import { keepKnown } from './word-book.ts'

export interface Instance {
  readonly appUrl: string
  /** Whether a Supabase project sends the emails of sign-in. */
  readonly hasSupabase: boolean
}

export function isSame(one: Words, other: Words): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => one[name] === other[name])
}

/** Every text of a template: the stored ones, and the default of others. */
export function wholeWords(template: Template, words: Words | null | undefined): Words {
  return { ...template.defaultWords, ...(words && keepKnown(template, words)) }
}

export function describeLine(
  template: Template,
  stored: StoredWords | undefined,
  { hasSupabase }: Pick<Instance, 'hasSupabase'>,
): EmailTemplateLine {
  const { id, group, title, sentence } = template
  const words = stored?.words ?? null
  const isBroken = words !== null && checkWords(template, keepKnown(template, words)).length > 0
  return {
    ...{ id, group, title, sentence },
    state: isBroken ? 'broken' : words === null ? 'default' : 'customised',
    hasNewDefault: words !== null && !isSame(stored?.defaultWords ?? {}, template.defaultWords),
    isSentBySupabase: hasSupabase && group === 'sign_in',
    version: stored?.version ?? 0,
    updatedAt: stored?.updatedAt.toISOString() ?? null,
    updatedBy: stored ? (stored.updatedBy ?? 'A deleted account') : null,
  }
}

export function describeTemplate(
  template: Template,
  stored: StoredWords | undefined,
  instance: Instance,
): EmailTemplate {
  const line = describeLine(template, stored, instance)
  const words = wholeWords(template, stored?.words)
  return {
    ...line,
    fields: template.fields.map(({ variables, needs: _, ...field }) => ({
      ...field,
      variables: Object.keys(variables),
    })),
    variables: listVariables(template, instance.appUrl),
    needs: [...template.needs],
    words,
    defaultWords: template.defaultWords,
    formerDefaultWords: line.hasNewDefault ? (stored?.defaultWords ?? null) : null,
    problems: checkWords(template, words),
    samples: (samples[template.id] ?? []).map(({ label }) => label),
  }
}

/** Variables of all its texts, with the values that they have in the samples. */
export function listVariables(template: Template, appUrl: string): EmailTemplate['variables'] {
  const meanings = Object.fromEntries(template.fields.flatMap(({ variables }) => Object.entries(variables)))
  const examples: Record<string, string> = {}
  for (const { render } of samples[template.id] ?? []) {
    watchValues(
      (id, values) => {
        for (const [name, value] of Object.entries(values)) if (id === template.id) examples[name] ||= value
      },
      () => render(appUrl),
    )
  }
  return Object.entries(meanings).map(([name, meaning]) => ({ name, meaning, example: examples[name] ?? '' }))
}
