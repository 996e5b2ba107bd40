import { Dialog as Radix } from 'radix-ui'
import { useState } from 'react'
import { CommandList } from '../ui/command-list.tsx'
import { usePaletteLines } from './palette-lines.tsx'

/**
 * Finds and does anything: what the screen in view offers, screens, settings, saved views, projects, members, and items and
 * visitors by words.
 */
export default function CommandPalette({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  const [query, setQuery] = useState('')
  const lines = usePaletteLines(query)
  return (
    <Radix.Root open onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="animate-fade fixed inset-0 z-40 bg-overlay" />
        <Radix.Content
          aria-describedby={undefined}
          className="animate-pop fixed inset-x-2 top-2 z-50 mx-auto flex max-h-[min(28rem,calc(100dvh-1rem))] max-w-xl flex-col overflow-hidden rounded-xl border border-border bg-raised text-foreground shadow-lg outline-none sm:top-[14vh]"
        >
          <Radix.Title className="sr-only">Commands</Radix.Title>
          <CommandList
            label="Search or run a command"
            placeholder="Type a command, #number or search text…"
            query={query}
            onQueryChange={setQuery}
            options={lines}
            onChoose={({ id }) => {
              onOpenChange(false)
              // First the window gives the focus back, then what was chosen may take it.
              setTimeout(() => lines.find((line) => line.id === id)?.run())
            }}
            emptyText="No results."
            className="[&_input]:h-12 [&_input]:px-4 [&_input]:text-lg"
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
