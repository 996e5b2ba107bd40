import { AlarmClock, AlarmClockOff, CalendarClock } from 'lucide-react'
import { type FormEvent, type ReactElement, useState } from 'react'
import { getTimeZone } from '#web/lib/date-style.ts'
import { formatMoment } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SelectMenu } from '#web/ui/select-menu.tsx'
import { listSnoozeTimes, readSnoozeTime, suggestSnoozeTime } from './snooze-times.ts'

const ownTime = 'own'
const noSnooze = 'none'

interface SnoozeMenuProps {
  /** Whether the item, or the selection, is snoozed: then the snooze can be ended. */
  isSnoozed: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
  onSnooze: (until: string | null) => void
  /** Asks for a date and time. */
  onPickTime: () => void
  returnFocus?: () => void
  side?: 'top' | 'bottom'
  children: ReactElement
}

/** Chooses until when. */
export function SnoozeMenu({ isSnoozed, onSnooze, onPickTime, ...props }: SnoozeMenuProps) {
  const times = listSnoozeTimes(new Date())
  const icon = <AlarmClock aria-hidden="true" className="text-muted" />
  return (
    <SelectMenu
      label="Snooze"
      value=""
      choices={[
        ...times.map(({ label, until }) => ({ value: until, label, note: formatMoment(until), icon })),
        {
          value: ownTime,
          label: 'Pick date and time…',
          icon: <CalendarClock aria-hidden="true" className="text-muted" />,
        },
        ...(isSnoozed
          ? [
              {
                value: noSnooze,
                label: 'End snooze',
                icon: <AlarmClockOff aria-hidden="true" className="text-muted" />,
              },
            ]
          : []),
      ]}
      onChoose={(value) => {
        if (value === ownTime) onPickTime()
        else onSnooze(value === noSnooze ? null : value)
      }}
      {...props}
    />
  )
}

/** Asks for the date and time of a snooze. */
export function SnoozeDialog({ onClose, onSnooze }: { onClose: () => void; onSnooze: (until: string) => void }) {
  const [value, setValue] = useState(() => suggestSnoozeTime(new Date()))
  const [error, setError] = useState<string>()
  const snooze = (event: FormEvent) => {
    event.preventDefault()
    const until = readSnoozeTime(value, new Date())
    if (until === undefined) return setError('Choose a time in the future.')
    onSnooze(until)
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Snooze until"
      description="The item returns to the inbox at this time, or when the visitor writes."
      className="sm:max-w-sm"
    >
      <form onSubmit={snooze} className="flex flex-col gap-4">
        <Field label="Date and time" hint={`Time zone: ${getTimeZone()}`} error={error}>
          {(control) => (
            <Input
              autoFocus
              type="datetime-local"
              required
              value={value}
              onChange={(event) => {
                setValue(event.target.value)
                setError(undefined)
              }}
              {...control}
            />
          )}
        </Field>
        <Button type="submit" className="self-end">
          Snooze
        </Button>
      </form>
    </Dialog>
  )
}

/** Until when the open item is snoozed, and a button to end that. */
export function SnoozeNote({ until, onEnd }: { until: string; onEnd: (() => void) | undefined }) {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-sunken px-3 py-2 text-base">
      <AlarmClock aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 flex-1">Snoozed until {formatMoment(until)}, or until the visitor writes.</p>
      {onEnd && (
        <Button variant="secondary" size="sm" onClick={onEnd}>
          End snooze
        </Button>
      )}
    </div>
  )
}
