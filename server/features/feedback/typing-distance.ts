/**
 * How many slips of the finger lie between two words: a letter left out, added, exchanged for another, or swapped with
 * its neighbour (optimal string alignment distance; Boytsov, Indexing methods for approximate dictionary searching, 2011).
 */
export function countSlips(from: string, to: string): number {
  const a = [...from]
  const b = [...to]
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [row, letter] of a.entries()) {
    const current = [row + 1]
    for (const [column, other] of b.entries()) {
      const cost = letter === other ? 0 : 1
      let best = Math.min((last[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1, (last[column] ?? 0) + cost)
      if (row > 0 && column > 0 && letter === b[column - 1] && a[row - 1] === other) {
        best = Math.min(best, (beforeLast[column - 1] ?? 0) + 1)
      }
      current.push(best)
    }
    beforeLast = last
    last = current
  }
  return last.at(-1) ?? 0
}

/** Known words near a mistyped one, nearest first: one slip for a short word, two for a long one. */
export function chooseNear(typed: string, known: readonly string[]): string[] {
  const mostSlips = [...typed].length < 6 ? 1 : 2
  return known
    .map((word) => ({ word, slips: countSlips(typed, word) }))
    .filter(({ slips }) => slips <= mostSlips)
    .sort((a, b) => a.slips - b.slips)
    .slice(0, 5)
    .map(({ word }) => word)
}
