import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { describeTemplate, type Instance, wholeWords } from './describe-template.ts'
import { getTemplate, requireGood, saveWords } from './save-words.ts'
import * as queries from './stored-words.queries.ts'
import type { Template, Words } from './template.ts'
import { keepKnown } from './word-book.ts'

const reason = 'the words of emails are of the instance'
const pageSize = 50

export type TemplateVersions = ReturnType<typeof createTemplateVersions>

/** Saved versions of the words of emails. All throw ProductError `email_template_not_found`. */
export function createTemplateVersions(database: Database, instance: Instance) {
  const inSystem = <T>(fn: (tx: SystemTx) => Promise<T>) => database.asSystem(reason, fn)
  return {
    listRevisions: (id: string, before?: number) =>
      inSystem(async (tx) => {
        const { id: templateId } = getTemplate(id)
        const rows = await queries.listRevisions(tx, templateId, before, pageSize + 1)
        const items = rows.slice(0, pageSize).map((row) => ({ ...row, savedAt: row.savedAt.toISOString() }))
        return { items, nextBefore: rows.length > pageSize ? (items.at(-1)?.version ?? null) : null }
      }),

    getRevision: (id: string, revisionId: string) =>
      inSystem(async (tx) => {
        const template = getTemplate(id)
        return { words: wholeWords(template, await getRevision(tx, template, revisionId)) }
      }),

    /** @throws ProductError `validation_failed` when a newer version of Earshot no longer has its variables. */
    restoreRevision: (userId: string, id: string, revisionId: string, version: number) =>
      inSystem(async (tx) => {
        const template = getTemplate(id)
        await queries.lockWords(tx)
        const found = await getRevision(tx, template, revisionId)
        const words = found && requireGood(template, keepKnown(template, found), 'params.emailRevisionId')
        await saveWords(tx, { template, version, words, userId, action: 'saved' })
        return describeTemplate(template, await queries.findStoredWords(tx, id), instance)
      }),
  }
}

/** @throws ProductError `email_template_not_found`. */
async function getRevision(tx: SystemTx, { id }: Template, revisionId: string): Promise<Words | null> {
  const words = await queries.findRevision(tx, id, revisionId)
  if (words === undefined) throw new ProductError('email_template_not_found')
  return words
}
