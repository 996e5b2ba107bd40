import { useQuery } from '@tanstack/react-query'
import { ScrollText, SearchX } from 'lucide-react'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { exportLogs } from '#contract/superadmin-logs.ts'
import { send } from '#web/lib/api.ts'
import { formatFullTime } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { toast } from '#web/ui/toast.tsx'
import { CsvExport } from '../csv-export.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { LogFilters } from './log-filters.tsx'
import { LogList } from './log-list.tsx'
import { logStatusQuery } from './log-queries.ts'
import {
  canFollow,
  isFiltered,
  type LogSearch,
  readLogSearch,
  toLogFilters,
  wholeLog,
  writeLogSearch,
} from './log-search.ts'
import { LogStatusLine } from './log-status-line.tsx'
import { LogTailBar } from './log-tail-bar.tsx'
import { useHeldLines } from './use-held-lines.ts'
import { useLineSelection } from './use-line-selection.ts'
import { useLogKeys } from './use-log-keys.ts'
import { useLogTail } from './use-log-tail.ts'
import { useOlderLines, useStoredLines } from './use-stored-lines.ts'

/** Stored lines of all processes: searched, and followed as they come. The filters stand in the address. */
export function LogsScreen() {
  const [params, setParams] = useSearchParams()
  const search = readLogSearch(params)
  const field = useRef<HTMLDivElement>(null)
  const status = useQuery(logStatusQuery)
  const show = (next: LogSearch) => setParams(writeLogSearch(next), { preventScrollReset: true, replace: true })
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <LogFilters
          search={search}
          processes={status.data?.processes.map(({ process }) => process) ?? []}
          onChange={show}
          field={field}
        />
        <CsvExport
          label="Export"
          request={() => send(exportLogs, { body: toLogFilters(search, Date.now()) }, '*/*')}
          failure="Couldn’t export the log lines"
        />
      </div>
      <FoundLines
        search={search}
        areStored={status.data?.days !== 0}
        onSearch={show}
        onFocusSearch={() => field.current?.querySelector('input')?.focus()}
      />
      {status.data && <LogStatusLine status={status.data} />}
    </>
  )
}

interface FoundLinesProps {
  search: LogSearch
  areStored: boolean
  onSearch: (search: LogSearch) => void
  onFocusSearch: () => void
}

function FoundLines({ search, areStored, onSearch, onFocusSearch }: FoundLinesProps) {
  const { list, pages, stored, isCurrent } = useStoredLines(search)
  const [isPaused, setIsPaused] = useState(false)
  const tail = useLogTail(search, isCurrent ? pages?.[0]?.tail : undefined, canFollow(search) && !isPaused)
  const { lines, waiting, setIsAtTop, release } = useHeldLines(stored, tail.lines)
  const { searchedTo, goesOn, readOlder } = useOlderLines(search, { list, pages, isCurrent }, lines.length)
  const { currentId, openIds, toggle, move } = useLineSelection(lines, search.around)
  const scroller = useRef<HTMLElement>(null)
  useLogKeys({
    next: () => move(1),
    previous: () => move(-1),
    toggle: () => currentId !== undefined && toggle(currentId),
    search: onFocusSearch,
    copy: () => void copyLine(lines.find(({ id }) => id === currentId)),
    pause: () => setIsPaused(!isPaused),
  })

  const filter = (change: Partial<LogSearch>) => onSearch({ ...search, around: '', ...change })
  const showNew = () => {
    release()
    scroller.current?.scrollTo({ top: 0 })
  }
  if (stored === undefined) {
    return list.error ? (
      <LoadFailure title="Couldn’t load the log" error={list.error} onRetry={() => void list.refetch()} />
    ) : (
      <ListSkeleton label="Loading log lines" />
    )
  }
  return (
    <>
      <LogTailBar
        search={search}
        tail={tail}
        waiting={waiting}
        isPaused={isPaused}
        onPause={setIsPaused}
        onShowNew={showNew}
        onSearchAgain={() => void list.refetch()}
        onSearch={onSearch}
        newer={list}
      />
      {lines.length === 0 && !goesOn ? (
        <NoLines search={search} areStored={areStored} onClear={() => onSearch(wholeLog)} />
      ) : (
        <LogList
          lines={lines}
          isBusy={list.isPlaceholderData || goesOn}
          currentId={currentId ?? (search.around === '' ? undefined : search.around)}
          openIds={openIds}
          onToggle={toggle}
          onFilter={filter}
          onAtTop={setIsAtTop}
          onEnd={readOlder}
          scroller={scroller}
        />
      )}
      <SearchEnd
        searchedTo={searchedTo}
        isReading={list.isFetchingNextPage || goesOn}
        count={lines.length}
        onMore={list.hasNextPage ? readOlder : undefined}
      />
    </>
  )
}

async function copyLine(line: object | undefined): Promise<void> {
  if (line && (await copyText(JSON.stringify(line, null, 2)))) toast({ title: 'Line copied as JSON' })
}

function NoLines({ search, areStored, onClear }: { search: LogSearch; areStored: boolean; onClear: () => void }) {
  if (!areStored) {
    return (
      <EmptyState icon={<ScrollText />} title="Log lines are not stored">
        Set LOG_DAYS to the number of days, and restart Earshot.
      </EmptyState>
    )
  }
  if (!isFiltered(search)) {
    return (
      <EmptyState icon={<ScrollText />} title="No log lines yet">
        Lines appear here a second after they are written.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<SearchX />}
      title="No results"
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      No log line matches these filters.
    </EmptyState>
  )
}

interface SearchEndProps {
  searchedTo: string | null
  isReading: boolean
  count: number
  onMore: (() => void) | undefined
}

function SearchEnd({ searchedTo, isReading, count, onMore }: SearchEndProps) {
  if (!onMore) return null
  return (
    <div className="mt-3 flex flex-wrap items-center justify-center gap-3 text-muted text-sm">
      {searchedTo !== null && (
        <span>
          {count} found, searched back to {formatFullTime(searchedTo)}
        </span>
      )}
      <Button variant="secondary" size="sm" loading={isReading} onClick={onMore}>
        {searchedTo === null ? 'Show older lines' : 'Continue the search'}
      </Button>
    </div>
  )
}
