/** How fast people read prose with some code in it. */
const wordsPerMinute = 200

/** How long a text takes to read, in minutes, at least one. */
export function countMinutes(markdown: string): number {
  return toMinutes(markdown.trim().split(/\s+/).length)
}

/** How long a number of words takes to read, in minutes, at least one. */
export function toMinutes(words: number): number {
  return Math.max(1, Math.round(words / wordsPerMinute))
}
