import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Attached } from './attached.tsx'

export interface TooltipText {
  content: ReactNode
  side: 'top' | 'right' | 'bottom' | 'left'
}

const delayMs = 400

const keys = new WeakMap<HTMLElement, number>()
let lastKey = 0

function keyOf(element: HTMLElement): number {
  const key = keys.get(element) ?? lastKey + 1
  lastKey = Math.max(lastKey, key)
  keys.set(element, key)
  return key
}

/** The tooltips of the page. They know of each other: beside an open one, the next opens at once. */
export function TooltipWindows({ texts }: { texts: ReadonlyMap<HTMLElement, TooltipText> }) {
  return (
    <Radix.Provider delayDuration={delayMs}>
      {[...texts].map(([element, text]) => (
        <TooltipWindow key={keyOf(element)} element={element} {...text} />
      ))}
    </Radix.Provider>
  )
}

function TooltipWindow({ element, content, side }: TooltipText & { element: HTMLElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>
        <Attached element={element} names={/^aria-describedby$/} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          className="animate-pop z-50 max-w-60 rounded-md bg-foreground px-2 py-1 text-background text-sm shadow-md"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
