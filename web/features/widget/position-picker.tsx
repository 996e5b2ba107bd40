import { type KeyboardEvent, useId } from 'react'
import type { launcherPositions } from '#contract/widget-settings.ts'
import { cn } from '#web/ui/class-names.ts'
import { findNeighbour } from './find-neighbour.ts'

type Position = (typeof launcherPositions)[number]

const positionLabels: Record<Position, string> = {
  'top-left': 'Top left',
  'top-right': 'Top right',
  'middle-left': 'Middle left',
  'middle-right': 'Middle right',
  'bottom-left': 'Bottom left',
  'bottom-right': 'Bottom right',
}

/** Row by row, as they are drawn. */
const positions = ['top-left', 'top-right', 'middle-left', 'middle-right', 'bottom-left', 'bottom-right'] as const

/** A miniature page with the button at its place. Arrow keys move it up, down and across. */
export function PositionPicker({
  value,
  color,
  onChange,
}: {
  value: Position
  /** The project's accent, in which the button is drawn. */
  color: string
  onChange: (value: Position) => void
}) {
  const name = useId()
  const move = (event: KeyboardEvent<HTMLFieldSetElement>) => {
    const next = findNeighbour(positions, value, event.key)
    if (next === undefined) return
    // The browser would go to the next one in order, which may be beside instead of below.
    event.preventDefault()
    event.currentTarget.querySelector<HTMLInputElement>(`input[value="${next}"]`)?.focus()
    onChange(next)
  }
  return (
    <fieldset onKeyDown={move} className="flex flex-col gap-1.5">
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-4 font-medium text-base">
        Button position
        <span aria-hidden="true" className="font-normal text-muted text-sm">
          {positionLabels[value]}
        </span>
      </legend>
      <div className="relative h-44 w-full max-w-72 overflow-hidden rounded-md border border-border-strong bg-surface">
        <PageLines />
        <div className="absolute inset-x-0 top-5 bottom-0 grid grid-cols-2 grid-rows-3">
          {positions.map((position) => (
            <label
              key={position}
              title={positionLabels[position]}
              className={cn(
                'group flex cursor-pointer items-center p-1.5',
                position.endsWith('right') && 'justify-end',
                position.startsWith('top') && 'items-start',
                position.startsWith('bottom') && 'items-end',
              )}
            >
              <input
                type="radio"
                name={name}
                value={position}
                className="peer sr-only"
                checked={value === position}
                onChange={() => onChange(position)}
              />
              <span
                aria-hidden="true"
                className={cn(
                  'h-6 w-14 rounded-full border peer-focus-visible:outline-2 peer-focus-visible:outline-ring peer-focus-visible:outline-offset-1',
                  value === position
                    ? 'border-transparent shadow-sm'
                    : 'border-border-strong border-dashed group-hover:bg-hover',
                )}
                style={value === position ? { backgroundColor: color } : undefined}
              />
              <span className="sr-only">{positionLabels[position]}</span>
            </label>
          ))}
        </div>
      </div>
    </fieldset>
  )
}

/** A window's bar, a headline and text, in outline. */
function PageLines() {
  return (
    <div aria-hidden="true">
      <div className="flex h-5 items-center gap-1 border-border border-b bg-sunken px-2">
        {['close', 'shrink', 'grow'].map((dot) => (
          <span key={dot} className="size-1.5 rounded-full bg-border-strong" />
        ))}
      </div>
      <div className="mx-auto flex w-28 flex-col gap-2 pt-6">
        <span className="h-2.5 w-20 rounded-sm bg-border-strong" />
        <span className="h-1.5 rounded-sm bg-border" />
        <span className="h-1.5 rounded-sm bg-border" />
        <span className="h-1.5 w-16 rounded-sm bg-border" />
        <span className="mt-2 h-10 rounded-sm bg-border" />
      </div>
    </div>
  )
}
