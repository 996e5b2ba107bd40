/*
 * What the index of the stored log has of a line: hashes of its words and of what it can be filtered by. Words are runs of
 * letters and digits, in lower case.
 */

const wordPattern = /[\p{L}\p{N}]+/gu
/** Longer runs are encoded bytes. A search for one compares the texts. */
const longestWord = 64
/** Words that a part of a word is looked up in: without ids and numbers, whose parts no one searches for. */
const dictionaryWord = /^\p{L}{2,40}\d{0,2}$/u
const deepest = 20

/** The levels that a line can be filtered by: at least as important. */
export const levelToken = (level: number) => hash(`level>=${level}`)
export const processToken = (process: string) => hash(`process=${process}`)

/** The words of a text, in their order. */
export function listWords(text: string): string[] {
  return text.toLowerCase().match(wordPattern) ?? []
}

export function isIndexedWord(word: string): boolean {
  return word.length <= longestWord
}

export function isDictionaryWord(word: string): boolean {
  return dictionaryWord.test(word)
}

/** Adds the words of a value of JSON: of its texts, numbers and names of fields. */
export function addWords(value: unknown, words: Set<string>, depth = 0): void {
  if (typeof value === 'string') {
    for (const word of listWords(value)) if (isIndexedWord(word)) words.add(word)
  } else if (typeof value === 'number' || typeof value === 'boolean') addWords(String(value), words)
  else if (typeof value === 'object' && value !== null && depth < deepest) {
    for (const [name, field] of Object.entries(value)) {
      if (!Array.isArray(value)) addWords(name, words)
      addWords(field, words, depth + 1)
    }
  }
}

/** FNV-1a of the UTF-16 code units, as a signed number of 32 bits. Stored: a change of it loses older lines. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value ^= text.charCodeAt(index)
    value = Math.imul(value, 0x01000193)
  }
  return value | 0
}
