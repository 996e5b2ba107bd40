import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import { listMistakable, toSearchQuery } from './search-query.ts'
import { chooseNear } from './typing-distance.ts'

/** The text of a tsquery, and the known words that it adds to an unknown typed word. */
export interface Search {
  readonly query: string
  readonly similarWords: Record<string, string[]>
}

/** The search of a typed text in an organisation. Undefined when it contains only punctuation. */
export async function findSearch(
  tx: TenantTx | SystemTx,
  organizationId: string,
  typed: string,
): Promise<Search | undefined> {
  const similarWords: Record<string, string[]> = {}
  const mistakable = listMistakable(typed)
  if (mistakable.length > 0) {
    const { rows } = await sql<{ typed: string; word: string }>`
      select typed, word from app.similar_words(${organizationId}, ${mistakable})
    `.execute(tx)
    for (const [word, near] of Map.groupBy(rows, (row) => row.typed)) {
      const meant = chooseNear(
        word,
        near.map((row) => row.word),
      )
      if (meant.length > 0) similarWords[word] = meant
    }
  }
  const query = toSearchQuery(typed, similarWords)
  return query === undefined ? undefined : { query, similarWords }
}

/** Adds the words of new items, so that a mistyped word finds them. Idempotent. */
export async function learnWords(tx: SystemTx, organizationId: string, ids: readonly string[]): Promise<void> {
  await sql`select app.learn_words(${organizationId}, ${[...ids]}::uuid[])`.execute(tx)
}
