import { changeValue } from './acting.ts'
import { button, checkbox } from './controls.tsx'
import { countCharacters, maxMessageLength, readText } from './fields.ts'
import { face, icon } from './icons.tsx'
import { type Field, fill, focus, type Panel } from './state.ts'

const counterFrom = 500

/** One of several options, as invisible radios over their drawings: pointer, touch and screen reader reach the real control. */
function viewChoices(p: Panel, { name, kind, label, options }: Field) {
  const { t } = p
  const chosen = p.values[name] ?? ''
  const choose = (value: string) => changeValue(p, name, value)
  const isNps = kind === 'nps'
  const values = options ?? (isNps ? '0 1 2 3 4 5 6 7 8 9 10' : '1 2 3 4 5').split(' ')
  const isType = kind === 'type'
  return (
    <fieldset class={kind}>
      <legend class={isType ? 'hidden' : ''}>
        {label} {!isType && !chosen && <small>{t.optional}</small>}
      </legend>
      <div class="row">
        {values.map((value) => {
          // Values are the types of feedback here, below 1 to 5: each has its text.
          const text = isType ? t[value as 'bug'] : isNps ? value : t[`rating${value}` as 'rating1']
          return (
            <label key={value} title={isType || isNps ? undefined : text}>
              <input
                class="cover"
                type="radio"
                name={name}
                value={value}
                aria-label={text}
                checked={chosen === value}
                onChange={() => choose(value)}
                onClick={() => !isType && chosen === value && choose('')}
              />
              <span class={kind === 'stars' && +value <= +chosen ? 'on' : ''}>
                {kind === 'faces' ? face(+value) : kind === 'stars' ? icon('star', 28) : text}
              </span>
            </label>
          )
        })}
      </div>
      {isNps && (
        <small class="ends">
          <span>{t.npsLow}</span>
          <span>{t.npsHigh}</span>
        </small>
      )}
      {!isType &&
        chosen &&
        button('quiet clear', t.clear, () => {
          choose('')
          focus(p, `[name=${name}]`)
        })}
    </fieldset>
  )
}

/** The number of characters left, near the limit. A text that is too long is not cut. */
function viewCounter(p: Panel) {
  const left = maxMessageLength - countCharacters(readText(p, 'message'))
  if (left >= counterFrom) return undefined
  const n = Math.abs(left).toLocaleString(p.stage.locale)
  return <span class={left < 0 ? 'count bad' : 'count'}>{fill(left < 0 ? p.t.tooMany : p.t.left, { n })}</span>
}

/** A question with its label and error. */
export function viewField(p: Panel, field: Field) {
  const { name, kind, label, required } = field
  const { t, values } = p
  if (kind === 'type' || kind === 'faces' || kind === 'stars' || kind === 'nps') return viewChoices(p, field)
  const error = p.errors[name]
  const isMessage = kind === 'message'
  const isEmail = kind === 'email'
  const more = {
    id: name,
    name,
    required: !!required,
    'aria-invalid': error ? 'true' : 'false',
    'aria-describedby': `${name}-note`,
  } as const
  const text = {
    ...more,
    dir: 'auto',
    value: `${values[name] ?? ''}`,
    onInput: (event: { currentTarget: { value: string } }) => changeValue(p, name, event.currentTarget.value),
  } as const
  return (
    <div class="field" key={name}>
      {kind === 'checkbox' ? (
        checkbox(name, label, !!values[name], (checked) => changeValue(p, name, checked), more)
      ) : (
        <label for={name} class={isMessage ? 'hidden' : ''}>
          {label} {!required && !isMessage && <small>{isEmail ? `${t.optional} · ${t.emailHint}` : t.optional}</small>}
        </label>
      )}
      {isMessage ? (
        // Each type of feedback has a hint.
        <textarea rows={4} placeholder={t[`${readText(p, 'type') || 'other'}Hint` as 'otherHint']} {...text} />
      ) : kind === 'select' ? (
        <select {...text}>
          <option value="">{t.choose}</option>
          {field.options?.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        // Attributes as the DOM names them; the JSX types know another case.
        kind !== 'checkbox' && <input {...({ ...text, type: isEmail ? kind : 'text', autocomplete: kind } as object)} />
      )}
      <div id={`${name}-note`} class="note">
        <span class="bad" role="alert">
          {error}
        </span>
        {isMessage && viewCounter(p)}
      </div>
    </div>
  )
}
