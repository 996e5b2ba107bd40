import { scrubText } from '#server/platform/scrub/scrub-text.ts'

const maxCharacters = 300

/** An error in one line, without personal data. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return scrubText(text.slice(0, maxCharacters))
}
