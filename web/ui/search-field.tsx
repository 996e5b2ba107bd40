import { useEffect, useEffectEvent, useState } from 'react'
import { Input } from '#web/ui/input.tsx'

/** Time after the last key until the list follows. */
const typingMs = 300

interface SearchFieldProps {
  label: string
  placeholder: string
  /** What the list shows now. */
  value: string
  onChange: (words: string) => void
}

/** Words to search a list by. The list follows when typing pauses. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  // The address changed, such as by Back or “Clear filters”: not by what was typed here.
  if (value !== shown) {
    setShown(value)
    if (value !== typed) setTyped(value)
  }
  const follow = useEffectEvent(onChange)
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => follow(typed), typingMs)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      className="w-full sm:w-72"
      maxLength={200}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  )
}
