import { invalid } from '#server/platform/http/invalid.ts'

/**
 * Tags without the space around them.
 *
 * @param path of the list, as the caller sent it.
 * @throws ProductError `validation_failed` for one that is nothing but space.
 */
export function trimTags(tags: readonly string[], path: string): string[] {
  return tags.map((tag, index) => {
    const trimmed = tag.trim()
    if (trimmed === '') throw invalid(`${path}.${index}`, 'must not be blank')
    return trimmed
  })
}
