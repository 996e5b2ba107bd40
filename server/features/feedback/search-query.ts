/**
 * The text of a PostgreSQL `tsquery` that finds every word a person typed, each as a beginning. Undefined when the
 * text holds no word at all.
 */
export function toSearchQuery(typed: string): string | undefined {
  const words = typed.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu)
  if (!words) return undefined
  // Twenty words narrow any search; more would only cost.
  return words
    .slice(0, 20)
    .map((word) => `'${word}':*`)
    .join(' & ')
}
