import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import { listMistakable, toSearchQuery } from './search-query.ts'
import { chooseNear } from './typing-distance.ts'

/** What is searched for: the text of a tsquery, and which words stand in it beside a typed one that is not known. */
export interface Search {
  readonly query: string
  readonly similarWords: Record<string, string[]>
}

/** What a typed text searches for in an organisation. Undefined when it holds no word, only signs. */
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

/** Makes the words of new items known, so that a mistyped one finds them. Twice is as good as once. */
export async function learnWords(tx: SystemTx, organizationId: string, ids: readonly string[]): Promise<void> {
  await sql`select app.learn_words(${organizationId}, ${[...ids]}::uuid[])`.execute(tx)
}
