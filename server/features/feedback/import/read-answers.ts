import type { ImportMapping, ImportQuestion } from '#contract/imports.ts'
import { cleanText } from '#server/platform/text/clean-text.ts'

// As long as a visitor's may be.
const maxAnswerLength = 2_000
const yes = new Set(['true', 'yes', 'y', '1', 'x', 'on', 'checked', '✓', '✔'])
const no = new Set(['false', 'no', 'n', '0', 'off', 'unchecked'])

/**
 * What a row answers to the project's own questions, each by its kind: of a selection one of its options, in whatever
 * letter case, of a box whether it is ticked. Empty cells answer nothing.
 *
 * @param problems collects invalid answers as messages for people.
 */
export function readAnswers(
  mapping: ImportMapping,
  questions: readonly ImportQuestion[],
  cells: readonly string[],
  problems: string[],
): Record<string, string | boolean> {
  const answers: Record<string, string | boolean> = {}
  for (const { column, field, question: id } of mapping.columns) {
    const value = cleanText(cells[column] ?? '').trim()
    if (field !== 'answer' || id === undefined || value === '') continue
    const question = questions.find((each) => each.id === id)
    const answer = readAnswer(question, value)
    if (typeof answer !== 'object') answers[id] = answer
    else problems.push(`${question?.label ?? id} ${answer.reason}`)
  }
  return answers
}

function readAnswer(question: ImportQuestion | undefined, value: string): string | boolean | { reason: string } {
  const given = `“${value.slice(0, 60)}”`
  if (question?.kind === 'checkbox') {
    const word = value.toLowerCase()
    return yes.has(word) || (!no.has(word) && { reason: `${given} is neither yes nor no` })
  }
  if (question?.kind === 'select') {
    const { options = [] } = question
    const option = options.find((each) => each.trim().toLowerCase() === value.toLowerCase())
    return option ?? { reason: `${given} is none of ${options.join(', ')}` }
  }
  if ([...value].length > maxAnswerLength) {
    return { reason: `is longer than ${maxAnswerLength.toLocaleString('en')} characters` }
  }
  return value
}
