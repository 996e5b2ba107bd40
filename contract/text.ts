import Type, { type TString } from 'typebox'

/*
 * PostgreSQL text can hold neither NUL nor half of a surrogate pair, and control characters in names break logs, mails
 * and exports. The format is checked by the server (`platform/http/validation.ts`); lengths count code points, as
 * PostgreSQL's char_length does.
 */

/** One line of text: any well-formed Unicode except control characters. */
export function line(options: { minLength?: number; maxLength: number; description?: string }): TString {
  return Type.String({ ...options, format: 'line' })
}

/** Text of several lines: any well-formed Unicode except control characters other than line breaks and tabs. */
export function lines(options: { minLength?: number; maxLength: number }): TString {
  return Type.String({ ...options, format: 'lines' })
}

/** Text that visitors send: control characters and broken surrogates are replaced, never a reason to lose feedback. */
export function visitorText(options: { minLength?: number; maxLength: number; description?: string }): TString {
  return Type.String({ ...options })
}

export const Uuid = Type.String({ format: 'uuid', maxLength: 36 })
/** ISO 8601 in UTC, e.g. `2026-01-31T09:30:00.000Z`. */
export const Timestamp = Type.String({ format: 'date-time' })
export const Email = Type.String({ format: 'email', maxLength: 254 })
