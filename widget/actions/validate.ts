import { countCharacters, looksLikeEmail, maxMessageLength, readText } from '../panel/fields.ts'
import type { Panel } from '../panel/state.ts'

/** Errors of the form by field name, in the order of the form. */
export function validate(p: Panel): Record<string, string> {
  const { t, values, asked } = p
  const errors: Record<string, string> = {}
  for (const { name, kind, required } of asked) {
    const text = readText(p, name)
    let error = ''
    if (kind === 'message') {
      // A picture, a rating or an answer says enough.
      const isSaid =
        text || p.files.length || values.rating || asked.some(({ name }) => name[0] === '_' && values[name])
      if (!isSaid) error = t.messageMissing
      if (countCharacters(text) > maxMessageLength) error = t.messageTooLong
    } else if (required && !values[name]) error = name === 'consent' ? t.consentMissing : t.required
    else if (required && !text) error = t.required
    else if (kind === 'email' && text && !looksLikeEmail(text)) error = t.emailInvalid
    if (error) errors[name] = error
  }
  return errors
}
