import { useId } from 'react'
import type { DeliveredEvent } from '#contract/integrations.ts'
import { eventWords } from '../event-words.ts'

interface EventsProps {
  selected: readonly DeliveredEvent[]
  error: string | undefined
  onChange: (events: DeliveredEvent[]) => void
}

// `Object.entries` forgets the names.
const events = Object.entries(eventWords) as [DeliveredEvent, (typeof eventWords)[DeliveredEvent]][]

/** Events that are delivered. */
export function EventCheckboxes({ selected, error, onChange }: EventsProps) {
  const id = useId()
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1.5"
      {...(error !== undefined && { 'aria-describedby': `${id}-error` })}
    >
      <legend className="sr-only">Events to deliver</legend>
      <div className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {events.map(([event, { label, hint }]) => (
          <label
            key={event}
            className="-mx-2 flex cursor-pointer items-start gap-2.5 rounded-md px-2 py-1.5 hover:bg-hover"
          >
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={selected.includes(event)}
              {...(error !== undefined && { 'aria-invalid': true })}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...selected, event] : selected.filter((each) => each !== event))
              }
            />
            <span className="min-w-0">
              <span className="block text-base">{label}</span>
              <span className="block text-muted text-sm">{hint}</span>
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-danger-text text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}
