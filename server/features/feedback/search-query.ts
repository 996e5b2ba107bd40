/** For a typed word that is not known, those that are known and near to it. */
export type SimilarWords = Readonly<Record<string, readonly string[]>>

/**
 * The text of a PostgreSQL `tsquery` that finds every word a person typed, each as a beginning, or in its stead a word
 * that is near to it. Undefined when the text holds no word at all.
 */
export function toSearchQuery(typed: string, similar: SimilarWords = {}): string | undefined {
  const chunks = toChunks(typed).flatMap((chunk) => toChunkQuery(chunk, similar) ?? [])
  if (chunks.length === 0) return undefined
  // Twenty words narrow any search; more would only cost.
  return chunks.slice(0, 20).join(' & ')
}

/** The number of an item, where that is all that was typed: `#123`. */
export function readItemNumber(typed: string | undefined): number | undefined {
  const digits = /^\s*#(\d{1,9})\s*$/.exec(typed ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Words of a typed text that are long enough to have distinct neighbours. Excludes names and numbers. */
export function listMistakable(typed: string): string[] {
  const words = toChunks(typed)
    .slice(0, 20)
    .flatMap((chunk) => chunk.match(word) ?? [])
  return [...new Set(words)].filter((each) => /^\p{L}{4,40}$/u.test(each)).slice(0, 20)
}

const word = /[\p{L}\p{N}\p{M}]+/gu

function toChunks(typed: string): string[] {
  return typed.toLowerCase().match(/\S+/g) ?? []
}

function toChunkQuery(chunk: string, similar: SimilarWords): string | undefined {
  const words = chunk.match(word)
  if (!words) return undefined
  const apart = words
    .slice(0, 20)
    .map((each) => toWordQuery(each, Object.hasOwn(similar, each) ? (similar[each] ?? []) : []))
    .join(' & ')
  // A host name or a version in running text stands as one word in the index, in an address it is taken apart.
  const whole = /^[^\p{L}\p{N}]*([\p{L}\p{N}][\p{L}\p{N}.-]*[\p{L}\p{N}])[^\p{L}\p{N}]*$/u.exec(chunk)?.[1]
  return words.length > 1 && whole ? `(${apart} | ${toPrefix(whole)})` : apart
}

function toWordQuery(typed: string, similar: readonly string[]): string {
  if (similar.length === 0) return toPrefix(typed)
  return `(${[toPrefix(typed), ...similar.map((near) => `'${near}'`)].join(' | ')})`
}

function toPrefix(text: string): string {
  return `'${text}':*`
}
