import type { SystemTx } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { checkWords, tidyWords } from './check-words.ts'
import { isSame } from './describe-template.ts'
import * as queries from './stored-words.queries.ts'
import type { Template, Words } from './template.ts'
import { findTemplate } from './templates.ts'

interface Save {
  readonly template: Template
  /** The version that was edited. */
  readonly version: number
  readonly words: Words | null
  readonly userId: string
  readonly action: 'saved' | 'imported'
}

/** @throws ProductError `edit_conflict`. */
export async function saveWords(tx: SystemTx, { template, version, words, userId, action }: Save): Promise<void> {
  const { id, defaultWords } = template
  const now = await queries.findStoredWords(tx, id)
  const isDefault = words === null || isSame(words, defaultWords)
  const isKept = isDefault
    ? (now?.words ?? null) === null
    : now?.words != null && isSame(now.words, words) && isSame(now.defaultWords ?? {}, defaultWords)
  if (isKept) return
  if ((now?.version ?? 0) !== version) throw new ProductError('edit_conflict')
  await queries.saveWords(tx, { id, version: version + 1, words: isDefault ? null : words, defaultWords, userId })
  await note(tx, isDefault ? 'reset' : action, template, { version: version + 1 })
}

export function note(
  tx: SystemTx,
  what: string,
  { id, title }: Template,
  after: Record<string, unknown>,
): Promise<void> {
  const entry = { action: `email_template.${what}`, targetType: 'email_template', targetName: title }
  return writeInstanceEntry(tx, { ...entry, after: { template: id, ...after } })
}

/** @throws ProductError `email_template_not_found`. */
export function getTemplate(id: string): Template {
  const template = findTemplate(id)
  if (!template) throw new ProductError('email_template_not_found')
  return template
}

/** All words of the template. @throws ProductError `validation_failed`, which names each text that is wrong. */
export function requireGood(template: Template, sent: Words, path: string): Words {
  const words = tidyWords(sent)
  const problems = checkWords(template, words)
  if (problems.length === 0) return { ...template.defaultWords, ...words }
  const fields = problems.map(({ field, message }) => ({ path: `${path}.${field}`, message }))
  throw new ProductError('validation_failed', { fields })
}
