import { useQuery } from '@tanstack/react-query'
import { Bookmark, FolderKanban, Keyboard, Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { TypeIcon } from '../features/feedback/feedback-icons.tsx'
import { describeWordless } from '../features/feedback/inbox/feedback-row.tsx'
import { findItemsQuery } from '../features/feedback/inbox/find-items.ts'
import { viewsQuery } from '../features/feedback/inbox/views-query.ts'
import { openWindow, useScreenOffer } from '../lib/commands.ts'
import { useOrganization } from '../lib/organization.tsx'
import { projectsQuery } from '../lib/projects-query.ts'
import { CommandList, type CommandOption, filterOptions } from '../ui/command-list.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { destinations } from './destinations.tsx'

interface Line extends CommandOption {
  run: () => void
}

const searchDelayMs = 150

/** Finds and does anything: what the screen in view offers, screens, saved views, projects, and items by words or number. */
export default function CommandPalette({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  const [query, setQuery] = useState('')
  const lines = useLines(query)
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

/** Everything to choose from, the likeliest first. */
function useLines(query: string): Line[] {
  const { organization } = useOrganization()
  const navigate = useNavigate()
  const { commands } = useScreenOffer()
  const { data: projects = [] } = useQuery(projectsQuery(organization.id))
  const { data: views = [] } = useQuery(viewsQuery(organization.id))
  const go = (to: string) => () => void navigate(to)

  const offered: Line[] = commands.map(({ keys, ...command }) => ({
    ...command,
    ...(keys && { aside: <Keys keys={keys} /> }),
  }))
  const screens: Line[] = destinations.map(({ to, label, letter, icon: Icon }) => ({
    id: `go:${to}`,
    label,
    group: 'Go to',
    icon: <Icon aria-hidden="true" />,
    aside: <Keys keys={['g', letter]} />,
    run: go(to),
  }))
  const savedViews: Line[] = views.map(({ id, name, search }) => ({
    id: `view:${id}`,
    label: name,
    group: 'Views',
    icon: <Bookmark aria-hidden="true" />,
    run: go(`/dashboard/feedback?${new URLSearchParams([...new URLSearchParams(search), ['view', id]])}`),
  }))
  const ofProjects: Line[] = projects.map(({ id, name }) => ({
    id: `project:${id}`,
    label: name,
    group: 'Projects',
    icon: <FolderKanban aria-hidden="true" />,
    run: go(`/dashboard/projects/${id}`),
  }))
  const help: Line = {
    id: 'help',
    label: 'Keyboard shortcuts',
    group: 'Help',
    icon: <Keyboard aria-hidden="true" />,
    aside: <Keys keys={['?']} />,
    run: () => openWindow('help'),
  }
  const items = useItemLines(query.trim(), go)
  const known = [...offered, ...screens, ...savedViews, ...ofProjects, help]
  return [...filterOptions(known, query), ...items]
}

/** Items with the words or the number, and the way to all of them. */
function useItemLines(query: string, go: (to: string) => () => void): Line[] {
  const { organization } = useOrganization()
  const words = useDelayed(useDeferredValue(query))
  const { data: items = [] } = useQuery({
    ...findItemsQuery(organization.id, words),
    enabled: words.length > 1,
  })
  if (query.length < 2) return []
  return [
    ...items.map((item) => ({
      id: `item:${item.id}`,
      label: `#${item.number} ${item.excerpt || describeWordless(item)}`,
      group: 'Feedback',
      icon: <TypeIcon type={item.type} />,
      run: go(`/dashboard/feedback?item=${item.id}`),
    })),
    {
      id: 'search',
      label: `Search feedback for “${query}”`,
      group: 'Feedback',
      icon: <Search aria-hidden="true" />,
      run: go(`/dashboard/feedback?${new URLSearchParams({ q: query })}`),
    },
  ]
}

/** The words once typing has paused. */
function useDelayed(words: string): string {
  const [settled, setSettled] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), searchDelayMs)
    return () => clearTimeout(timer)
  }, [words])
  return settled
}

function Keys({ keys }: { keys: readonly string[] }): ReactNode {
  return keys.map((key) => (
    <Kbd key={key} aria-hidden="true" className="pointer-coarse:hidden">
      {key}
    </Kbd>
  ))
}
