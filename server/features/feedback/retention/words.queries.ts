import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** Permanent removals, as the audit log names them. */
const removals = ['feedback.trash_emptied', 'feedback.trash_expired', 'project.retention_applied', 'project.deleted']

/**
 * Known words of one slice, in order, of organisations from which items were removed within as many days as there are
 * slices, and one more.
 */
export async function listSliceOfWords(
  tx: SystemTx,
  options: {
    slice: number
    slices: number
    after: { organizationId: string; word: string } | undefined
    limit: number
  },
): Promise<{ organizationId: string; word: string }[]> {
  const { slice, slices, after, limit } = options
  const { rows } = await sql<RowAs<'feedback_words', { organizationId: 'organization_id'; word: 'word' }>>`
    with changed as materialized (
      select distinct organization_id from audit_log
      where action = any (${removals}) and created_at > now() - make_interval(days => ${slices + 1})
    )
    select w.organization_id as "organizationId", w.word
    from feedback_words w
    where w.organization_id in (select organization_id from changed)
      and mod(hashtext(w.word) & 2147483647, ${slices}) = ${slice}
      ${after ? sql`and (w.organization_id, w.word) > (${after.organizationId}, ${after.word} collate "C")` : sql``}
    order by w.organization_id, w.word
    limit ${limit}
  `.execute(tx)
  return [...rows]
}

/** All that a large organisation uses often; of a smaller one, all words in use. */
export type FrequentWords = ReadonlySet<string>

/**
 * @param exceptOf visitors whose items are about to be removed: their words do not count. Keys, and addresses in lower case.
 */
export async function listFrequentWords(
  tx: SystemTx,
  organizationId: string,
  exceptOf: readonly string[] = [],
): Promise<FrequentWords> {
  const { rows } = await sql<{ word: string }>`
    select f.word from app.list_frequent_words(${organizationId}, ${[...exceptOf]}::text[]) as f (word)
  `.execute(tx)
  return new Set(rows.map(({ word }) => word))
}

/** Each word is a search of the index, in large organisations some hundredths of a second: no statement takes too long. */
const wordsPerStatement = 100

/**
 * Forgets those of the words that no item of the organisation contains.
 *
 * @param frequent words that are in use, so that they need not be looked up.
 */
export async function forgetWords(
  tx: SystemTx,
  organizationId: string,
  { words, frequent }: { words: readonly string[]; frequent: FrequentWords },
): Promise<void> {
  const rare = words.filter((word) => !frequent.has(word))
  for (let from = 0; from < rare.length; from += wordsPerStatement) {
    const some = rare.slice(from, from + wordsPerStatement)
    await sql`select app.forget_words(${organizationId}, ${some}::text[])`.execute(tx)
  }
}
