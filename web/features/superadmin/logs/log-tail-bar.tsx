import { Pause, Play, X } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { canFollow, type LogSearch } from './log-search.ts'
import { showControls } from './show-controls.ts'
import type { TailState, useLogTail } from './use-log-tail.ts'

const stateWords: Readonly<Record<TailState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again',
  refused: 'Live updates ended. Reload the page.',
  off: 'Paused',
}

interface LogTailBarProps {
  search: LogSearch
  tail: ReturnType<typeof useLogTail>
  /** New lines that are not shown yet. */
  waiting: number
  isPaused: boolean
  onPause: (isPaused: boolean) => void
  onShowNew: () => void
  onSearchAgain: () => void
  onSearch: (search: LogSearch) => void
  /** The list, whose newer pages are read around a line. */
  newer: { hasPreviousPage: boolean; isFetchingPreviousPage: boolean; fetchPreviousPage: () => unknown }
}

/** State of the tail and of the filters, above the lines. */
export function LogTailBar(props: LogTailBarProps) {
  const { search, tail, waiting, isPaused, onPause, onShowNew, onSearchAgain, onSearch, newer } = props
  const follows = canFollow(search)
  return (
    <div className="mb-2 flex min-h-8 flex-wrap items-center gap-2 text-sm">
      {follows && (
        <>
          <Button variant="secondary" size="sm" onClick={() => onPause(!isPaused)}>
            {isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
          <output className="text-muted">{stateWords[tail.state]}</output>
        </>
      )}
      {search.around !== '' && (
        <Chip label="Lines around one line" onRemove={() => onSearch({ ...search, around: '' })} />
      )}
      {search.request !== '' && (
        <Chip label={`Request ${showControls(search.request)}`} onRemove={() => onSearch({ ...search, request: '' })} />
      )}
      {search.around !== '' && newer.hasPreviousPage && (
        <Button
          variant="secondary"
          size="sm"
          loading={newer.isFetchingPreviousPage}
          onClick={() => void newer.fetchPreviousPage()}
        >
          Show newer lines
        </Button>
      )}
      {waiting > 0 && (
        <Button size="sm" onClick={onShowNew}>
          Show {waiting} new {waiting === 1 ? 'line' : 'lines'}
        </Button>
      )}
      {(tail.leftOut > 0 || tail.isAtLeast) && (
        <span className="flex items-center gap-2 text-warning-text">
          {describeLeftOut(tail)}
          <Button variant="link" size="sm" onClick={onSearchAgain}>
            Search again
          </Button>
        </span>
      )}
    </div>
  )
}

function describeLeftOut({ leftOut, isAtLeast }: LogTailBarProps['tail']): string {
  if (leftOut === 0) return 'Some lines left out'
  return `${isAtLeast ? 'More than ' : ''}${leftOut} ${leftOut === 1 && !isAtLeast ? 'line' : 'lines'} left out`
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <span className="flex min-w-0 items-center gap-1 rounded-full bg-accent-soft py-0.5 pr-1 pl-3 text-accent-text">
      <span className="min-w-0 truncate">{label}</span>
      <button
        type="button"
        aria-label={`Remove filter: ${label}`}
        className="rounded-full p-1 hover:bg-hover pointer-coarse:p-3"
        onClick={onRemove}
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </span>
  )
}
