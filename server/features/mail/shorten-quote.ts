const maxQuoteLength = 1500

/** A visitor's message as an email quotes it: at most 1,500 characters. */
export function shortenQuote(text: string): string {
  const characters = [...text]
  return characters.length > maxQuoteLength ? `${characters.slice(0, maxQuoteLength).join('')}…` : text
}
