import type { LogLine } from '#contract/superadmin-logs.ts'
import { cn } from '#web/ui/class-names.ts'
import { LogDetails } from './log-details.tsx'
import { LogLevel } from './log-level.tsx'
import type { LogSearch } from './log-search.ts'
import { LogTime } from './log-time.tsx'
import { showControls } from './show-controls.ts'

interface LogRowProps {
  line: LogLine
  isCurrent: boolean
  isOpen: boolean
  onToggle: () => void
  onFilter: (change: Partial<LogSearch>) => void
}

/** A line of the log: time, level and message in one row, and opened its fields. */
export function LogRow({ line, isCurrent, isOpen, onToggle, onFilter }: LogRowProps) {
  const { at, level, message, requestId } = line
  return (
    <div className={cn('border-border border-b', isCurrent && 'bg-hover', isOpen && 'bg-sunken')}>
      <div className="flex items-baseline gap-2 px-3 py-1.5 font-mono text-xs pointer-coarse:py-2.5">
        <button
          type="button"
          aria-expanded={isOpen}
          data-log-line={line.id}
          className="flex min-w-0 flex-1 items-baseline gap-3 text-left focus-visible:outline-offset-[-2px]"
          onClick={onToggle}
        >
          <LogTime iso={at} className="shrink-0 text-muted tabular-nums" />
          <LogLevel level={level} className="w-10 shrink-0" />
          <span dir="auto" className="min-w-0 flex-1 truncate text-foreground">
            {message === '' ? <span className="text-muted">No message</span> : showControls(message)}
          </span>
        </button>
        {requestId !== null && (
          <button
            type="button"
            title={`Filter by request ${showControls(requestId)}`}
            aria-label={`Filter by request ${showControls(requestId)}`}
            className="shrink-0 text-muted hover:text-accent-text hover:underline max-sm:hidden"
            onClick={() => onFilter({ request: requestId })}
          >
            {showControls(requestId).slice(0, 8)}
          </button>
        )}
      </div>
      {isOpen && <LogDetails line={line} onFilter={onFilter} />}
    </div>
  )
}
