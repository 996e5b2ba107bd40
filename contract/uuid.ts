/** A UUID of any version in lower case, as PostgreSQL prints it: the source of a regular expression. */
export const uuidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

const wholeUuid = new RegExp(`^${uuidPattern}$`)

/** False for upper case: where callers may send it, they lower it first. */
export function isUuid(text: string): boolean {
  return wholeUuid.test(text)
}
