const longestEntry = 500

/** Cuts queries and fragments out of addresses, whole and relative ones, wherever they stand in a text. */
export function redact(text: string): string {
  return text.slice(0, longestEntry).replace(/(\/[^\s?#"']*)[?#][^\s"')]*/g, '$1')
}

/**
 * One console entry: texts, and errors with their stack. Other objects give their type only: they may hold
 * anything personal, be of any size, and run the page's code when they are read.
 */
export function writeEntry(values: readonly unknown[]): string {
  const texts = values.map((value) =>
    // Whatever has a stack counts as an error.
    (value as Error | undefined)?.stack ? `${value} ${(value as Error).stack}` : value,
  )
  return redact(texts.join(' '))
}
