import type { maxMessageLength as ContractLimit } from '#contract/widget.ts'
import type { Field, Panel } from './state.ts'

/** Characters (code points). The contract's number, repeated: the widget may import only its type. */
export const maxMessageLength: typeof ContractLimit = 10_000
const maxEmailLength = 254

/** Length as the server counts it: an emoji is one character. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _character of text) count++
  return count
}

/** A first check; the server decides. */
export function looksLikeEmail(email: string | undefined): email is string {
  return !!email && email.length <= maxEmailLength && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email)
}

export const readText = ({ values }: Panel, name: string) => `${values[name] ?? ''}`.trim()

/** The form's questions in order, without those that the site has answered by `identify`. */
export function listFields({ settings, t, stage }: Panel): Field[] {
  const { types, rating, name, email, consent } = settings
  const fields: (Field | false)[] = [
    types.length > 1 && { name: 'type', kind: 'type', label: t.type, options: types },
    { name: 'message', kind: 'message', label: t.message },
    rating !== 'none' && { name: 'rating', kind: rating, label: rating === 'nps' ? t.nps : t.rating },
    ...settings.fields.map((field) => ({ ...field, name: `_${field.id}` })),
    name !== 'hidden' &&
      !stage.visitor.name && { name: 'name', kind: 'name', label: t.name, required: name === 'required' },
    email !== 'hidden' &&
      !looksLikeEmail(stage.visitor.email) && {
        name: 'email',
        kind: 'email',
        label: t.email,
        required: email === 'required',
      },
    !!consent.text && { name: 'consent', kind: 'checkbox', label: consent.text, required: consent.required },
  ]
  return fields.filter((field) => !!field)
}
