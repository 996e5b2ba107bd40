/** One line, without a full stop. */
export function describeError(error: unknown): string {
  // A refused connection to a name with two addresses arrives as two errors without a message of their own.
  const first = error instanceof AggregateError ? error.errors[0] : error
  const message = first instanceof Error ? first.message : String(first)
  return message.replace(/\s+/g, ' ').replace(/\.$/, '')
}
