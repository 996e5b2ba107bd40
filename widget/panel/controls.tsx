import { type IconName, icon } from './icons.tsx'

/** A button of the panel. Its look is a class: `main`, `plain`, or `quiet`. */
export const button = (look: string, label: string, onClick: () => void, more: Record<string, unknown> = {}) => (
  <button type="button" class={look} onClick={onClick} {...more}>
    {label}
  </button>
)

/** A button that shows an icon only. */
export const iconButton = (name: IconName, label: string, onClick: () => void) => (
  <button type="button" class="quiet icon" aria-label={label} onClick={onClick}>
    {icon(name)}
  </button>
)

export const checkbox = (
  name: string,
  label: unknown,
  checked: boolean,
  onChange: (checked: boolean) => void,
  more: Record<string, unknown> = {},
) => (
  <label class="check">
    <input
      type="checkbox"
      name={name}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      {...more}
    />
    <span>{label as string}</span>
  </label>
)
