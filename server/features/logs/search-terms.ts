import type { SystemTx } from '#server/platform/database/database.ts'
import { findWordsWith } from './search.queries.ts'
import { hash, isDictionaryWord, isIndexedWord, listWords } from './tokens.ts'

const mostTerms = 12
/** A part of more words is so frequent that reading line by line finds it sooner. */
const mostWordsOfPart = 40

/** Words and "quoted phrases" of a search. */
export function splitSearch(search: string): string[] {
  const terms: string[] = []
  for (const [, phrase, word] of search.matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const term = (phrase ?? word ?? '').trim()
    if (term !== '' && !terms.includes(term)) terms.push(term)
  }
  return terms.slice(0, mostTerms)
}

/**
 * Hashes by which the index finds the lines with these terms: of each group, a line has at least one. Terms without words,
 * and parts of very many words, have no group: their lines are found by reading.
 */
export async function findHashes(tx: SystemTx, terms: readonly string[]): Promise<number[][]> {
  const words = [...new Set(terms.flatMap(listWords))].filter(isIndexedWord)
  const parts = words.filter(isDictionaryWord)
  const found = parts.length === 0 ? [] : await findWordsWith(tx, parts, mostWordsOfPart + 1)
  const wordsByPart = Map.groupBy(found, ({ part }) => part)
  return words.flatMap((word) => {
    const containing = wordsByPart.get(word) ?? []
    if (containing.length > mostWordsOfPart) return []
    return [[...new Set([word, ...containing.map((each) => each.word)])].map(hash)]
  })
}
