import { ChevronDown, Search, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { feedbackPriorities, feedbackStatuses, feedbackTypes } from '#contract/feedback.ts'
import type { Project } from '#contract/projects.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Input } from '#web/ui/input.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { type Choice, MultiSelectMenu } from '#web/ui/select-menu.tsx'
import {
  changeFilter,
  type Filters,
  hasFilters,
  type ListFilter,
  maxSearchLength,
  noFilters,
} from './feedback-filters.ts'
import { PriorityIcon, StatusIcon, TypeIcon } from './feedback-icons.tsx'
import { priorityLabels, statusLabels, typeLabels } from './feedback-labels.ts'

const searchDelayMs = 200

const statusChoices: Choice[] = feedbackStatuses.map((value) => ({
  value,
  label: statusLabels[value],
  icon: <StatusIcon status={value} />,
}))
const priorityChoices: Choice[] = feedbackPriorities.map((value) => ({
  value,
  label: priorityLabels[value],
  icon: <PriorityIcon priority={value} />,
}))
const typeChoices: Choice[] = feedbackTypes.map((value) => ({
  value,
  label: typeLabels[value],
  icon: <TypeIcon type={value} />,
}))

interface FilterBarProps {
  filters: Filters
  projects: readonly Project[]
  onChange: (filters: Filters, options?: { replace?: boolean }) => void
  searchRef: RefObject<HTMLInputElement | null>
  /** Leaves the search field for the list. */
  onLeaveSearch: () => void
}

/** Search, and what narrows the list. */
export function FilterBar({ filters, projects, onChange, searchRef, onLeaveSearch }: FilterBarProps) {
  const change = (name: ListFilter) => (values: string[]) => onChange(changeFilter(filters, name, values))
  const projectChoices = projects.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div className="flex flex-col gap-2 border-border border-b px-3 pb-2.5">
      <SearchField
        q={filters.q}
        onChange={(q) => onChange({ ...filters, q }, { replace: true })}
        inputRef={searchRef}
        onLeave={onLeaveSearch}
      />
      <fieldset className="flex min-h-7 flex-wrap items-center gap-1.5">
        <legend className="sr-only">Filters</legend>
        <FilterMenu label="Status" values={filters.status} choices={statusChoices} onChange={change('status')} />
        <FilterMenu
          label="Priority"
          values={filters.priority}
          choices={priorityChoices}
          onChange={change('priority')}
        />
        <FilterMenu label="Type" values={filters.type} choices={typeChoices} onChange={change('type')} />
        {(projectChoices.length > 1 || filters.project.length > 0) && (
          <FilterMenu label="Project" values={filters.project} choices={projectChoices} onChange={change('project')} />
        )}
        <button
          type="button"
          aria-pressed={filters.spam}
          onClick={() => onChange({ ...filters, spam: !filters.spam })}
          className={cn(
            'flex h-7 items-center gap-1 rounded-md border px-2 font-medium text-sm transition-colors',
            filters.spam
              ? 'border-transparent bg-accent-soft text-accent-text'
              : 'border-border bg-surface text-muted hover:text-foreground',
          )}
        >
          Spam
        </button>
        {hasFilters(filters) && (
          <Button variant="ghost" size="sm" className="h-7 px-2 text-muted" onClick={() => onChange(noFilters)}>
            Clear all
          </Button>
        )}
      </fieldset>
    </div>
  )
}

function FilterMenu({
  label,
  values,
  choices,
  onChange,
}: {
  label: string
  values: readonly string[]
  choices: readonly Choice[]
  onChange: (values: string[]) => void
}) {
  const isActive = values.length > 0
  const first = choices.find(({ value }) => value === values[0])
  return (
    <MultiSelectMenu label={label} values={values} choices={choices} onChange={onChange}>
      <button
        type="button"
        className={cn(
          'flex h-7 max-w-40 items-center gap-1 rounded-md border px-2 font-medium text-sm transition-colors',
          isActive
            ? 'border-transparent bg-accent-soft text-accent-text'
            : 'border-border bg-surface text-muted hover:text-foreground data-[state=open]:text-foreground',
        )}
      >
        <span className={cn('truncate', isActive && values.length === 1 && 'sr-only')}>{label}</span>
        {isActive && (
          <span className="truncate tabular-nums">{values.length === 1 ? (first?.label ?? '1') : values.length}</span>
        )}
        <ChevronDown aria-hidden="true" className="size-3 shrink-0" />
      </button>
    </MultiSelectMenu>
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
    <div className="relative">
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
          className="absolute top-1.5 right-1.5 flex size-6 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-foreground"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  )
}
