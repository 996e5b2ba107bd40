/**
 * The text of a PostgreSQL `tsquery` that finds every word a person typed, each as a beginning. Undefined when the
 * text holds no word at all.
 */
export function toSearchQuery(typed: string): string | undefined {
  const chunks = typed
    .toLowerCase()
    .match(/\S+/g)
    ?.flatMap((chunk) => toChunkQuery(chunk) ?? [])
  if (!chunks || chunks.length === 0) return undefined
  // Twenty words narrow any search; more would only cost.
  return chunks.slice(0, 20).join(' & ')
}

const word = /[\p{L}\p{N}\p{M}]+/gu

function toChunkQuery(chunk: string): string | undefined {
  const words = chunk.match(word)
  if (!words) return undefined
  const apart = words.slice(0, 20).map(toPrefix).join(' & ')
  // A host name or a version in running text stands as one word in the index, in an address it is taken apart.
  const whole = /^[^\p{L}\p{N}]*([\p{L}\p{N}][\p{L}\p{N}.-]*[\p{L}\p{N}])[^\p{L}\p{N}]*$/u.exec(chunk)?.[1]
  return words.length > 1 && whole ? `(${apart} | ${toPrefix(whole)})` : apart
}

function toPrefix(text: string): string {
  return `'${text}':*`
}
