/**
 * Escapes a text and cuts it to a service's limit, never within an escaped character. A cut text ends in an ellipsis.
 *
 * @param maxLength of the escaped text, in UTF-16 units
 * @param write what stands for a character
 */
export function fitText(
  text: string,
  maxLength: number,
  write: (character: string) => string = (character) => character,
): string {
  let fitted = ''
  let cut = ''
  for (const character of text) {
    fitted += write(character)
    if (fitted.length > maxLength) return `${cut}…`
    if (fitted.length < maxLength) cut = fitted
  }
  return fitted
}
