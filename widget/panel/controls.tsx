import { icon } from './icons.tsx'
import type { Parts } from './state.ts'

export const button: Parts['button'] = (look, label, onClick, more = {}) => (
  <button type="button" class={look} onClick={onClick} {...more}>
    {label}
  </button>
)

export const iconButton: Parts['iconButton'] = (name, label, onClick) => (
  <button type="button" class="quiet icon" aria-label={label} onClick={onClick}>
    {icon(name)}
  </button>
)

export const checkbox: Parts['checkbox'] = (name, label, checked, onChange, more = {}) => (
  <label class="check">
    <input
      type="checkbox"
      name={name}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      {...more}
    />
    <span>{label as string /* text or elements */}</span>
  </label>
)

/** Shared with later stages, which would otherwise contain copies. */
export const parts: Parts = { button, iconButton, checkbox, icon }
