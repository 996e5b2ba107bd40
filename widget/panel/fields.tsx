import type { Draft } from './draft.ts'
import { Face } from './icons.tsx'
import { ratings, strings, types } from './strings.ts'
import { countCharacters, maxMessageLength } from './submission.ts'

interface FieldProps {
  draft: Draft
  /** While it is being sent, what is sent cannot be changed. */
  locked: boolean
  change(part: Partial<Draft>): void
}

/** One of the kinds, as chips. None chosen is sent as "other". */
export function TypeField({ draft, locked, change }: FieldProps) {
  return (
    <fieldset class="chips" disabled={locked}>
      <legend class="hidden">{strings.type}</legend>
      {types.map(({ value, label }) => (
        <label key={value}>
          <input
            class="cover"
            type="radio"
            name="type"
            value={value}
            checked={draft.type === value}
            onChange={() => change({ type: value })}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

const counterFrom = 500

/** The text. Nothing is cut off: too long a text stays, with the number of characters to take out. */
export function MessageField({ draft, locked, change, error }: FieldProps & { error: string | undefined }) {
  const left = maxMessageLength - countCharacters(draft.message.trim())
  const hint = types.find(({ value }) => value === (draft.type || 'other'))?.hint
  return (
    <div class="field">
      <label class="hidden" for="message">
        {strings.message}
      </label>
      <textarea
        id="message"
        name="message"
        dir="auto"
        rows={4}
        placeholder={hint}
        value={draft.message}
        readOnly={locked}
        aria-invalid={!!error}
        aria-describedby="message-note"
        onInput={(event) => change({ message: event.currentTarget.value })}
      />
      <div id="message-note" class={`note ${error || left < 0 ? 'bad' : ''}`}>
        <span role="alert">{error}</span>
        {left < counterFrom && <span class="count">{left < 0 ? strings.tooLong(-left) : strings.left(left)}</span>}
      </div>
    </div>
  )
}

/** Five faces. Chosen once more, or by the button, the choice is taken back. */
export function RatingField({ draft, locked, change }: FieldProps) {
  const clear = (refocus: HTMLElement | null) => {
    change({ rating: 0 })
    refocus?.focus()
  }
  return (
    <fieldset class="rating" disabled={locked}>
      <legend>
        {strings.rating} <small>{strings.optional}</small>
      </legend>
      <div class="faces">
        {ratings.map((label, index) => {
          const rating = index + 1
          return (
            <label key={rating} title={label}>
              <input
                class="cover"
                type="radio"
                name="rating"
                value={rating}
                aria-label={label}
                checked={draft.rating === rating}
                onChange={() => change({ rating })}
                onClick={() => draft.rating === rating && change({ rating: 0 })}
              />
              <span>
                <Face rating={rating} />
              </span>
            </label>
          )
        })}
      </div>
      <button
        type="button"
        class="quiet"
        hidden={!draft.rating}
        onClick={(event) => clear(event.currentTarget.parentElement?.querySelector('input') ?? null)}
      >
        {strings.clearRating}
      </button>
    </fieldset>
  )
}

export function EmailField({ draft, locked, change, error }: FieldProps & { error: string | undefined }) {
  return (
    <div class="field">
      <label for="email">
        {strings.email} <small>{strings.emailHint}</small>
      </label>
      <input
        id="email"
        name="email"
        type="email"
        autocomplete="email"
        dir="auto"
        value={draft.email}
        readOnly={locked}
        aria-invalid={!!error}
        aria-describedby="email-note"
        onInput={(event) => change({ email: event.currentTarget.value })}
      />
      <div id="email-note" class="note bad" role="alert">
        {error}
      </div>
    </div>
  )
}
