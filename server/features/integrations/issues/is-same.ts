import { timingSafeEqual } from 'node:crypto'

/** Compares what a call brought with what it should have brought, in a time that says nothing about where they differ. */
export function isSame(given: string | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  // By bytes: a header can hold characters that take two.
  return a.length === b.length && timingSafeEqual(a, b)
}
