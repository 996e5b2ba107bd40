import type { ImportChange } from '#contract/email-templates.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { checkWords, tidyWords } from './check-words.ts'
import { isSame, wholeWords } from './describe-template.ts'
import { saveWords } from './save-words.ts'
import * as queries from './stored-words.queries.ts'
import type { Template, Words } from './template.ts'
import { findTemplate } from './templates.ts'

const reason = 'the words of emails are of the instance'

export type TemplateTransfer = ReturnType<typeof createTemplateTransfer>

/** Carries changed words from one instance to another. */
export function createTemplateTransfer(database: Database) {
  const inSystem = <T>(fn: (tx: SystemTx) => Promise<T>) => database.asSystem(reason, fn)
  return {
    export: () =>
      inSystem(async (tx) => {
        const stored = await queries.listStoredWords(tx)
        const changed = stored.flatMap(({ id, words }) => (words === null ? [] : [[id, words] as const]))
        return {
          ...({ format: 'earshot-email-templates', formatVersion: 1 } as const),
          ...{ exportedAt: new Date().toISOString(), templates: Object.fromEntries(changed.sort()) },
        }
      }),

    /** Saves words of several templates: all, or none when one of them is wrong or was changed since the dry run. */
    import: (
      userId: string,
      sent: { isDryRun: boolean; templates: Record<string, Words>; versions?: Record<string, number> },
    ): Promise<ImportChange[]> =>
      inSystem(async (tx) => {
        const incoming = requireImportable(sent.templates)
        await queries.lockWords(tx)
        const stored = new Map((await queries.listStoredWords(tx)).map((each) => [each.id, each]))
        const changes: ImportChange[] = []
        for (const { template, words } of incoming) {
          const now = stored.get(template.id)
          const version = now?.version ?? 0
          const before = wholeWords(template, now?.words)
          const isNothing = isSame(before, words)
          const kind = isNothing ? 'same' : now?.words ? 'changed' : 'new'
          changes.push({ id: template.id, title: template.title, change: kind, version, before, after: words })
          if (sent.isDryRun || isNothing) continue
          const expected = sent.versions?.[template.id] ?? version
          await saveWords(tx, { template, version: expected, words, userId, action: 'imported' })
        }
        return changes
      }),
  }
}

/** @throws ProductError `validation_failed`, which names everything that is wrong. */
function requireImportable(sent: Record<string, Words>): { template: Template; words: Words }[] {
  const fields: { path: string; message: string }[] = []
  const good = Object.entries(sent).flatMap(([id, typed]) => {
    const path = `body.templates.${id}`
    const template = findTemplate(id)
    if (!template) {
      fields.push({ path, message: 'is not an email of this version of Earshot' })
      return []
    }
    const words = tidyWords(typed)
    const problems = checkWords(template, words)
    fields.push(...problems.map(({ field, message }) => ({ path: `${path}.${field}`, message })))
    return problems.length > 0 ? [] : [{ template, words: { ...template.defaultWords, ...words } }]
  })
  if (fields.length > 0) throw new ProductError('validation_failed', { fields })
  return good
}
