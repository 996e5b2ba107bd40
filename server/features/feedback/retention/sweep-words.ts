import type { Database } from '#server/platform/database/database.ts'
import { type FrequentWords, forgetWords, listFrequentWords, listSliceOfWords } from './words.queries.ts'

/** A night looks at one of so many slices: each word comes up once a week. */
export const wordSlices = 7

const batchSize = 200

/**
 * Forgets words that no item holds any more, where items were removed lately. Erasing a visitor forgets theirs at once;
 * this follows what leaves by trash, retention and with projects.
 *
 * @param slice from 0, below {@link wordSlices}.
 */
export async function sweepWords(database: Database, slice: number): Promise<void> {
  let after: { organizationId: string; word: string } | undefined
  // Of the organisation whose words are looked at: they come one organisation after the other.
  let known: { organizationId: string; frequent: FrequentWords } | undefined
  do {
    const from = after
    after = await database.asSystem('words of every organisation that removed items', async (tx) => {
      const words = await listSliceOfWords(tx, { slice, slices: wordSlices, after: from, limit: batchSize })
      for (const [organizationId, own] of Map.groupBy(words, (each) => each.organizationId)) {
        if (known?.organizationId !== organizationId) {
          known = { organizationId, frequent: await listFrequentWords(tx, organizationId) }
        }
        await forgetWords(tx, organizationId, { words: own.map(({ word }) => word), frequent: known.frequent })
      }
      return words.length < batchSize ? undefined : words.at(-1)
    })
  } while (after)
}
