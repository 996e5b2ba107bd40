import type { ReactNode } from 'react'
import { cn } from '#web/ui/class-names.ts'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/ui/tabs.tsx'
import { Section } from '../item/feedback-facts.tsx'
import { formatBefore } from './format-before.ts'
import type { ConsoleEntry, PageEvents as Events, NetworkEntry, RouteEntry } from './read-page-events.ts'

/** What happened on the page before the visitor sent: console, requests and pages visited, oldest first. */
export function PageEvents({ events }: { events: Events }) {
  const { console, network, routes } = events
  const tabs = [
    { id: 'console', name: 'Console', entries: console.map(ConsoleRow) },
    { id: 'network', name: 'Network', entries: network.map(NetworkRow) },
    {
      id: 'pages',
      name: 'Pages',
      entries: routes.map(RouteRow),
    },
  ].filter(({ entries }) => entries.length > 0)
  if (tabs.length === 0) return null
  return (
    <Section title="On the page">
      <Tabs defaultValue={tabs[0]?.id ?? ''} className="rounded-md border border-border bg-surface">
        <TabsList aria-label="What happened on the page" className="px-2">
          {tabs.map(({ id, name, entries }) => (
            <TabsTrigger key={id} value={id}>
              {name} <span className="text-muted tabular-nums">{entries.length}</span>
            </TabsTrigger>
          ))}
        </TabsList>
        {tabs.map(({ id, entries }) => (
          <TabsContent key={id} value={id} className="max-h-80 overflow-auto">
            <ol className="divide-y divide-border">{entries}</ol>
          </TabsContent>
        ))}
      </Tabs>
    </Section>
  )
}

const levelStyles = {
  error: 'text-danger-text',
  warn: 'text-warning-text',
  info: '',
  debug: 'text-muted',
}

function ConsoleRow({ beforeMs, level, text }: ConsoleEntry, index: number) {
  return (
    <EventRow key={`${index}-${text}`} beforeMs={beforeMs} className={levelStyles[level]}>
      {(level === 'error' || level === 'warn') && <span className="sr-only">{level}: </span>}
      {text}
    </EventRow>
  )
}

function NetworkRow({ beforeMs, method, url, status, durationMs }: NetworkEntry, index: number) {
  const hasFailed = status === 0 || status >= 400
  return (
    <EventRow key={`${index}-${url}`} beforeMs={beforeMs} className={hasFailed ? 'text-danger-text' : ''}>
      {method} {url}{' '}
      <span className="whitespace-nowrap">
        {status === 0 ? 'failed' : status} · {Math.round(durationMs)} ms
      </span>
    </EventRow>
  )
}

function RouteRow({ beforeMs, url }: RouteEntry, index: number) {
  return (
    <EventRow key={`${index}-${url}`} beforeMs={beforeMs}>
      {url}
    </EventRow>
  )
}

function EventRow({ beforeMs, className, children }: { beforeMs: number; className?: string; children: ReactNode }) {
  return (
    <li className="flex gap-3 px-3 py-1.5 font-mono text-sm">
      <span className="w-14 shrink-0 text-right text-muted tabular-nums">−{formatBefore(beforeMs)}</span>
      <bdi className={cn('min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]', className)}>{children}</bdi>
    </li>
  )
}
