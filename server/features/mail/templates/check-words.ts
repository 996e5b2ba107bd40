import { longSubject, type WordsProblem } from '#contract/email-templates.ts'
import { findStrayBraces, findVariables } from './notation.ts'
import type { Field, Template, Words } from './template.ts'

/** Words as they are stored: without space around them, and line breaks as one character. */
export function tidyWords(words: Words): Words {
  return Object.fromEntries(
    Object.entries(words).map(([field, text]) => [field, text.replaceAll(/\r\n?/g, '\n').trim()]),
  )
}

/** Problems of tidy words; none: they can be used. Fields that are missing have their default words. */
export function checkWords(template: Template, words: Words): WordsProblem[] {
  const unknown = Object.keys(words)
    .filter((name) => !template.fields.some((field) => field.name === name))
    .map((name) => ({ field: name, message: 'is not a text of this email' }))
  const wrong = template.fields.flatMap((field) => {
    const text = words[field.name]
    const message = text === undefined ? undefined : findProblem(field, text)
    return message === undefined ? [] : [{ field: field.name, message }]
  })
  return [...unknown, ...wrong, ...findLost(template, words)]
}

function findProblem(field: Field, text: string): string | undefined {
  const { isRequired, form, maxLength, variables, needs } = field
  if (isRequired && text === '') return 'must not be empty'
  if ([...text].length > maxLength) return `must not have more than ${maxLength} characters`
  if (form === 'line' && text.includes('\n')) return 'must be one line'
  for (const name of findVariables(text)) {
    if (!Object.hasOwn(variables, name)) return wordUnknown(name, Object.keys(variables))
  }
  const stray = findStrayBraces(text)
  if (stray !== undefined) return `contains “${stray}”, which is no variable. Write a variable as {{name}}`
  const lost = needs.find((name) => !findVariables(text).includes(name))
  return lost === undefined ? undefined : `must contain {{${lost}}}`
}

function wordUnknown(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  return `uses the unknown variable {{${name}}}${nearest === undefined ? '' : `. Did you mean {{${nearest}}}?`}`
}

/** Variables that no text has which every reader sees. */
function findLost({ needs, defaultWords }: Template, words: Words): WordsProblem[] {
  const shown = ['paragraphs', 'notes'].map((field) => words[field] ?? defaultWords[field] ?? '').join('\n')
  const used = findVariables(shown)
  return needs
    .filter((name) => !used.includes(name))
    .map((name) => ({ field: 'paragraphs', message: `must contain {{${name}}}, here or in the small print` }))
}

/** Allowed words that are perhaps not meant. @param subject as the sample has it. */
export function findHints(template: Template, words: Words, subject: string): WordsProblem[] {
  const long = [...subject].length > longSubject
  const markup = template.fields.filter(({ name }) => /<\/?[a-z!][^>]*>/i.test(words[name] ?? ''))
  const shouted = /\p{Lu}/u.test(subject) && subject.length > 10 && subject === subject.toUpperCase()
  const blank = template.fields.some(({ name }) => name === 'preview') && words.preview === ''
  return [
    ...(long ? [{ field: 'subject', message: `is longer than ${longSubject} characters: phones cut it off` }] : []),
    ...(shouted ? [{ field: 'subject', message: 'is in capitals: mailboxes may take it for spam' }] : []),
    ...(blank ? [{ field: 'preview', message: 'is empty: mailboxes show the beginning of the text instead' }] : []),
    ...markup.map(({ name }) => ({ field: name, message: 'contains markup, which readers see as text' })),
  ]
}

/** The known name that is the fewest changed letters away; undefined: none is near. */
function findNearest(name: string, known: readonly string[]): string | undefined {
  const near = known
    .map((each) => ({ each, distance: countEdits(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= Math.max(2, Math.floor(each.length / 2)))
    .sort((one, other) => one.distance - other.distance)
  return near[0]?.each
}

/** Letters to add, remove or replace (Levenshtein). */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...one.slice(0, 60)].entries()) {
    const next = [i + 1]
    for (let j = 0; j < other.length; j += 1) {
      const replaced = (row[j] ?? 0) + (letter === other[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
