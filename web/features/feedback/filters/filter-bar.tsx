import { ArrowDownUp, ListFilter, Rows3, Search, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type InboxSort, inboxGroupings, inboxSorts } from '#contract/inbox.ts'
import { groupingLabels, sortLabels } from '#web/shared/feedback-labels.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Input } from '#web/ui/input.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { SelectMenu } from '#web/ui/select-menu.tsx'
import { type Filters, hasFilters, maxSearchLength } from './feedback-filters.ts'
import { FilterChips } from './filter-chips.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { formatMatchCount, type MatchCount } from './match-count.ts'

const searchDelayMs = 200

interface FilterBarProps {
  filters: Filters
  onChange: (filters: Filters, options?: { replace?: boolean }) => void
  searchRef: RefObject<HTMLInputElement | null>
  /** Leaves the search field for the list. */
  onLeaveSearch: () => void
  isFilterOpen: boolean
  onFilterOpen: (open: boolean) => void
  /** How many items match; undefined: not known yet. */
  matchCount: MatchCount | undefined
  /** Similar words that were searched for, by the unknown word they stand for. */
  similarWords: Readonly<Record<string, readonly string[]>>
}

/** Search, what narrows the list, and its order. */
export function FilterBar(props: FilterBarProps) {
  const { filters, onChange, isFilterOpen, onFilterOpen } = props
  const similar = Object.values(props.similarWords).flat()
  return (
    <div className="flex flex-col gap-2 border-border border-b px-3 py-2.5">
      <div className="flex items-center gap-1.5">
        <SearchField
          q={filters.q}
          onChange={(q) => onChange({ ...filters, q }, { replace: true })}
          inputRef={props.searchRef}
          onLeave={props.onLeaveSearch}
        />
        <FilterMenu filters={filters} onChange={onChange} open={isFilterOpen} onOpenChange={onFilterOpen}>
          <Button variant="secondary" size="sm" className="h-9 px-2.5" aria-keyshortcuts="f">
            <ListFilter aria-hidden="true" className="text-muted" />
            Filter
          </Button>
        </FilterMenu>
        <SortMenu sort={filters.sort} onChange={(sort) => onChange({ ...filters, sort })} />
        <GroupMenu group={filters.group} onChange={(group) => onChange({ ...filters, group })} />
      </div>
      {hasFilters(filters) && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <FilterChips filters={filters} onChange={onChange} />
          <p role="status" className="ml-auto flex min-h-5 flex-wrap gap-x-2 text-muted text-sm">
            {filters.q !== '' && similar.length > 0 && (
              <span>
                Also searched for: <bdi className="text-foreground">{similar.join(', ')}</bdi>
              </span>
            )}
            {props.matchCount && <span className="tabular-nums">{describeMatches(props.matchCount)}</span>}
          </p>
        </div>
      )}
    </div>
  )
}

/** `1 result`, `26 results`, `10,000+ results`. */
function describeMatches(match: MatchCount): string {
  return `${formatMatchCount(match)} ${match.count === 1 ? 'result' : 'results'}`
}

const sortChoices = inboxSorts.map((value) => ({ value, label: sortLabels[value] }))

function SortMenu({ sort, onChange }: { sort: InboxSort; onChange: (sort: InboxSort) => void }) {
  return (
    <SelectMenu
      label="Sort"
      value={sort}
      choices={sortChoices}
      align="end"
      onChoose={(value) => onChange(inboxSorts.find((each) => each === value) ?? 'newest')}
    >
      <Button
        variant="secondary"
        size="icon"
        aria-label={`Sort: ${sortLabels[sort]}`}
        title={`Sort: ${sortLabels[sort]}`}
        className={cn(sort !== 'newest' && 'border-transparent bg-accent-soft text-accent-text')}
      >
        <ArrowDownUp aria-hidden="true" className={cn(sort === 'newest' && 'text-muted')} />
      </Button>
    </SelectMenu>
  )
}

const groupChoices = (['none', ...inboxGroupings] as const).map((value) => ({ value, label: groupingLabels[value] }))

function GroupMenu({ group, onChange }: { group: Filters['group']; onChange: (group: Filters['group']) => void }) {
  const name = `Group by: ${groupingLabels[group]}`
  return (
    <SelectMenu
      label="Group by"
      value={group}
      choices={groupChoices}
      align="end"
      onChoose={(value) => onChange(inboxGroupings.find((each) => each === value) ?? 'none')}
    >
      <Button
        variant="secondary"
        size="icon"
        aria-label={name}
        title={name}
        className={cn(group !== 'none' && 'border-transparent bg-accent-soft text-accent-text')}
      >
        <Rows3 aria-hidden="true" className={cn(group === 'none' && 'text-muted')} />
      </Button>
    </SelectMenu>
  )
}

function SearchField({
  q,
  onChange,
  inputRef,
  onLeave,
}: {
  q: string
  onChange: (q: string) => void
  inputRef: RefObject<HTMLInputElement | null>
  onLeave: () => void
}) {
  const [typed, setTyped] = useState(q)
  const sent = useRef(q)
  const send = useEffectEvent((value: string) => {
    sent.current = value.trim()
    onChange(value.trim())
  })

  // The address changed by other means: a link, the back button, "clear all".
  useEffect(() => {
    if (q === sent.current) return
    sent.current = q
    setTyped(q)
  }, [q])

  useEffect(() => {
    if (typed.trim() === sent.current) return
    const timer = setTimeout(() => send(typed), searchDelayMs)
    return () => clearTimeout(timer)
  }, [typed])

  const clear = () => {
    setTyped('')
    send('')
    inputRef.current?.focus()
  }

  return (
    <div className="relative min-w-0 flex-1">
      <Search aria-hidden="true" className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" />
      <Input
        ref={inputRef}
        type="search"
        aria-label="Search feedback"
        aria-keyshortcuts="/"
        placeholder="Search"
        maxLength={maxSearchLength}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault()
            if (typed.trim() !== sent.current) send(typed)
            onLeave()
          }
        }}
        className="px-8 [&::-webkit-search-cancel-button]:hidden"
      />
      {typed === '' ? (
        <Kbd aria-hidden="true" className="absolute top-2 right-2 pointer-coarse:hidden">
          /
        </Kbd>
      ) : (
        <button
          type="button"
          aria-label="Clear search"
          onClick={clear}
          className="absolute top-1.5 right-1.5 flex size-6 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-foreground pointer-coarse:top-0 pointer-coarse:right-0 pointer-coarse:size-10"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  )
}
