/**
 * Where an arrow key leads in a grid of two columns.
 *
 * @param places row by row
 * @returns undefined for other keys, and `current` at an edge
 */
export function findNeighbour<Place>(places: readonly Place[], current: Place, key: string): Place | undefined {
  const index = places.indexOf(current)
  const isLeft = index % 2 === 0
  const next: Record<string, number> = {
    ArrowUp: index - 2,
    ArrowDown: index + 2,
    ArrowLeft: isLeft ? index : index - 1,
    ArrowRight: isLeft ? index + 1 : index,
  }
  const target = next[key]
  return target === undefined ? undefined : (places[target] ?? current)
}
