import { type Density, useDensity } from '#web/lib/density.ts'

/** Fixed, so that nothing moves and any number of rows can be placed without measuring. */
const heights: Record<Density, number> = { comfortable: 64, compact: 48 }

/** Height of an inbox row in CSS pixels. */
export function useRowHeight(): number {
  return heights[useDensity()]
}

/** Height of the heading of a group in CSS pixels. */
export const headingHeight = 36
