import { UnreadableFileError } from './import-file.ts'

/** Longest text of one item, in UTF-16 units. */
const maxItemLength = 2 * 1024 * 1024
const maxDepth = 64
const maxPrefixLength = 64 * 1024

/**
 * The items of a JSON file, one at a time: of a top-level array, or of the first array in a top-level object
 * (`{"items": […]}`). Memory contains one item's text, whatever the file's size. An item that is invalid JSON is
 * yielded as undefined, so that the rest can be imported.
 *
 * @throws UnreadableFileError where the file itself is invalid JSON.
 */
export async function* readJsonItems(source: AsyncIterable<string>): AsyncGenerator<unknown> {
  // Depth 0: before the array. At depth 1 of the array items begin and end.
  let depth = 0
  let inArray = false
  let isDone = false
  let inString = false
  let isEscaped = false
  let before = 0
  let item = ''
  for await (const chunk of source) {
    // The end of the part of this piece that is processed.
    let start = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const sign = chunk.charCodeAt(at)
      if (isDone) break
      if (!inArray) {
        before += 1
        if (before > maxPrefixLength) throw new UnreadableFileError('No list of items was found in this JSON.')
        if (inString) {
          if (isEscaped) isEscaped = false
          else if (sign === backslash) isEscaped = true
          else if (sign === quote) inString = false
        } else if (sign === quote) inString = true
        else if (sign === openBracket) {
          inArray = true
          depth = 1
          start = at + 1
        } else if (sign === openBrace) {
          depth += 1
          if (depth > 1) throw new UnreadableFileError('No list of items was found in this JSON.')
        } else if (depth === 0 && !isSpace(sign) && sign !== byteOrderMark) {
          throw new UnreadableFileError('This is no JSON: it begins with neither [ nor {.')
        }
        continue
      }
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (sign === backslash) isEscaped = true
        else if (sign === quote) inString = false
        continue
      }
      if (sign === quote) inString = true
      else if (sign === openBracket || sign === openBrace) {
        depth += 1
        if (depth > maxDepth) throw new UnreadableFileError(`This JSON nests deeper than ${maxDepth} levels.`)
      } else if (sign === closeBracket || sign === closeBrace) {
        depth -= 1
        if (depth === 0) {
          item += chunk.slice(start, at)
          if (item.trim() !== '') yield parseItem(item)
          item = ''
          isDone = true
        }
      } else if (sign === comma && depth === 1) {
        item += chunk.slice(start, at)
        yield parseItem(item)
        item = ''
        start = at + 1
      }
    }
    if (inArray && !isDone) {
      item += chunk.slice(start)
      if (item.length > maxItemLength) throw new UnreadableFileError('One item of this JSON is larger than 2 MB.')
    }
  }
  if (!inArray) throw new UnreadableFileError('No list of items was found in this JSON.')
  if (!isDone) throw new UnreadableFileError('This JSON breaks off in the middle.')
}

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const comma = 0x2c
const byteOrderMark = 0xfeff

function isSpace(sign: number): boolean {
  return sign === 0x20 || sign === 0x0a || sign === 0x0d || sign === 0x09
}

function parseItem(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
