import { asList, asNumber, asObject, type ReplayEvent } from './read-events.ts'

export interface PointerPosition {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly x: number
  readonly y: number
  /** Pressed, not only moved. */
  readonly pressed: boolean
}

const maxPositions = 100_000

/** Where the pointer was, in order. Moves are recorded in batches, with times before the batch's own. */
export function listPositions(events: readonly ReplayEvent[]): PointerPosition[] {
  const positions: PointerPosition[] = []
  for (const { type, timestamp, data } of events) {
    if (type !== 3 || positions.length > maxPositions) continue
    // 1: mouse, 6: touch, 12: drag.
    if (data.source === 1 || data.source === 6 || data.source === 12) {
      for (const { x, y, timeOffset } of asList(data.positions).slice(0, 1000).map(asObject)) {
        const at = timestamp + asNumber(timeOffset, -10_000, 0)
        positions.push({ at, x: asNumber(x), y: asNumber(y), pressed: false })
      }
    }
    // Of the kinds of interaction, 2 is a click and 7 a touch.
    if (data.source === 2 && (data.type === 2 || data.type === 7) && typeof data.x === 'number') {
      positions.push({ at: timestamp, x: asNumber(data.x), y: asNumber(data.y), pressed: true })
    }
  }
  return positions.sort((a, b) => a.at - b.at)
}
