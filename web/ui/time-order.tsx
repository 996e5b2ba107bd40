import { Select } from './select.tsx'

interface TimeOrderProps {
  label?: string
  isOldestFirst: boolean
  onChange: (isOldestFirst: boolean) => void
}

/** The order of a list by time. */
export function TimeOrder({ label = 'Order', isOldestFirst, onChange }: TimeOrderProps) {
  return (
    <Select
      aria-label={label}
      className="w-auto min-w-36 flex-1 sm:flex-none"
      value={isOldestFirst ? 'oldest' : 'latest'}
      onChange={({ currentTarget: { value } }) => onChange(value === 'oldest')}
    >
      <option value="latest">Latest first</option>
      <option value="oldest">Oldest first</option>
    </Select>
  )
}
