import { ArrowLeftRight, Compass, Terminal } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cn } from '#web/ui/class-names.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { formatDuration } from '../attachments/format-media.ts'
import type { RecordedEvent } from './align-events.ts'

interface RecordedEventsProps {
  events: readonly RecordedEvent[]
  positionMs: number
  durationMs: number
  onSeek: (ms: number) => void
}

const icons = { console: Terminal, network: ArrowLeftRight, page: Compass }
const names = { console: 'Console', network: 'Network', page: 'Page' }
const colors = { error: 'text-danger-text', warn: 'text-warning-text', info: '', debug: 'text-muted' }
const marks = { error: 'bg-danger', warn: 'bg-warning-text', info: 'bg-border-strong', debug: 'bg-border-strong' }

/** What happened on the page along a recording: signs on its time line, and a list in which each leads to its moment. */
export function RecordedEvents({ events, positionMs, durationMs, onSeek }: RecordedEventsProps) {
  const list = useRef<HTMLOListElement>(null)
  const [shown, setShown] = useState<'all' | 'problems'>('all')
  const problems = events.filter(({ level }) => level === 'error' || level === 'warn')
  const rows = shown === 'all' ? events : problems
  const present = rows.findLastIndex(({ atMs }) => atMs <= positionMs)

  // The list scrolls along; the page does not.
  useEffect(() => {
    const box = list.current
    const row = box?.children[present]
    if (!box || !(row instanceof HTMLElement)) return
    const top = row.offsetTop - box.offsetTop
    if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 3
    }
  }, [present])

  return (
    <div className="border-border border-t">
      <div aria-hidden="true" className="relative mx-3 mt-3 h-3 rounded-full bg-sunken">
        {events.map(({ atMs, level }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: what was recorded never changes
            key={index}
            style={{ left: `${(100 * atMs) / Math.max(1, durationMs)}%` }}
            className={cn('absolute top-0.5 h-2 w-0.5 rounded-full', marks[level])}
          />
        ))}
        <span
          style={{ left: `${Math.min(100, (100 * positionMs) / Math.max(1, durationMs))}%` }}
          className="absolute -top-0.5 h-4 w-0.5 rounded-full bg-accent"
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 px-3 pt-3">
        <h4 className="font-medium text-sm">Page activity</h4>
        {problems.length > 0 && problems.length < events.length && (
          <Segmented
            label="Events to show"
            value={shown}
            options={[
              { value: 'all', label: `All ${events.length}` },
              { value: 'problems', label: `Problems ${problems.length}` },
            ]}
            onChange={setShown}
          />
        )}
      </div>
      <ol ref={list} aria-label="Events in the recording" className="mt-2 max-h-60 overflow-y-auto px-1 pb-1">
        {rows.map(({ atMs, kind, level, text }, index) => {
          const Icon = icons[kind]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was recorded never changes
            <li key={index}>
              <button
                type="button"
                onClick={() => onSeek(atMs)}
                aria-current={index === present ? 'step' : undefined}
                className={cn(
                  'flex w-full min-w-0 items-start gap-2.5 rounded-sm px-2 py-1.5 text-left font-mono text-sm hover:bg-hover focus-visible:outline-offset-[-2px]',
                  index === present && 'bg-accent-soft',
                )}
              >
                <span className="w-10 shrink-0 text-right text-muted tabular-nums">{formatDuration(atMs)}</span>
                <Icon role="img" aria-label={names[kind]} className="mt-0.5 size-3.5 shrink-0 text-muted" />
                <bdi className={cn('min-w-0 [overflow-wrap:anywhere]', colors[level])}>
                  {(level === 'error' || level === 'warn') && <span className="sr-only">{level}: </span>}
                  {text}
                </bdi>
              </button>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
