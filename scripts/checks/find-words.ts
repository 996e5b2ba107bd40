import { type AllowedWord, allowedWords, type RefusedWord, refusedWords } from './refused-words.ts'

export type Hit = {
  readonly line: number
  readonly phrase: string
  readonly instead: string
}

/** A line break inside a comment, a template or a paragraph, with the indentation and the marks of the next line. */
const lineBreak = /[ \t]*\r?\n[ \t]*(?:(?:\*(?!\/)|\/\/|--|>|#+)[ \t]*)?/g

/** Finds the refused phrases of a text, in order, also where a phrase is broken over two lines of a comment. */
export function findWords(
  file: string,
  text: string,
  {
    refused = refusedWords,
    allowed = allowedWords,
  }: { refused?: readonly RefusedWord[]; allowed?: readonly AllowedWord[] } = {},
): Hit[] {
  // `starts` holds the offset of each line in the flat text.
  const starts = [0]
  let shift = 0
  const flat = text.replace(lineBreak, (found, offset: number) => {
    starts.push(offset - shift + 1)
    shift += found.length - 1
    return ' '
  })
  const permitted = new Set(allowed.filter((each) => each.file === file).map((each) => each.phrase.toLowerCase()))
  return refused
    .flatMap(({ find, instead }) =>
      Array.from(flat.matchAll(new RegExp(find, `${find.flags}g`)), (match) => ({
        line: starts.findLastIndex((start) => start <= match.index) + 1,
        phrase: match[0],
        instead,
      })),
    )
    .filter(({ phrase }) => !permitted.has(phrase.toLowerCase()))
    .sort((a, b) => a.line - b.line)
}
