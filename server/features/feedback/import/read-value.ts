import type { RatingScale, ValueField } from '#contract/value-mapping.ts'
import { lookUp, priorities, reasons, statuses, types } from './foreign-words.ts'
import { parseRating } from './parse-rating.ts'

const wordsByField = { type: types, status: statuses, closedReason: reasons, priority: priorities }

/** What a value of a file is known to mean in a field, as one of `valueOptions`; undefined: unknown. */
export function readKnownValue(field: ValueField, value: string, scale?: RatingScale): string | undefined {
  if (field === 'rating') return parseRating(value, scale)?.toString()
  return lookUp(value, wordsByField[field])
}
