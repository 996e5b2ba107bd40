import { ArrowDown, Star } from 'lucide-react'
import { Link } from 'react-router'
import { type VisitorListItem, type VisitorSort, visitorCountLimit } from '#contract/visitors.ts'
import { locale } from '#web/lib/locale.ts'
import { Badge } from '#web/ui/badge.tsx'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Select } from '#web/ui/select.tsx'
import { VisitorLine } from './visitor-line.tsx'
import { toVisitorPath } from './visitor-name.ts'

/** Widths of the columns beside the visitor, for headings and rows. On a phone they are the row's second line. */
const columns = {
  items: 'md:w-16 md:justify-end',
  rating: 'md:w-20 md:justify-end',
  status: 'md:w-36',
  seen: 'md:w-32 md:justify-end',
}

const sortNames: Readonly<Record<VisitorSort, string>> = {
  seen: 'Last seen',
  items: 'Most items',
  unanswered: 'Unanswered first',
}

interface SortProps {
  sort: VisitorSort
  onSort: (sort: VisitorSort) => void
}

/** The order of the list, where there is no room for headings. */
export function SortSelect({ sort, onSort }: SortProps) {
  return (
    <Select
      aria-label="Sort visitors"
      className="w-auto md:hidden"
      value={sort}
      // The options below are the orders.
      onChange={({ currentTarget }) => onSort(currentTarget.value as VisitorSort)}
    >
      {Object.entries(sortNames).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </Select>
  )
}

/** Headings of the columns; those that the list can be sorted by are buttons. */
export function SortHeadings({ sort, onSort }: SortProps) {
  const sortable = (by: VisitorSort, label: string, column: string) => (
    <span className={cn('flex', column)}>
      <button
        type="button"
        aria-pressed={sort === by}
        title={sortNames[by]}
        className={cn(
          '-mx-1.5 inline-flex items-center gap-1 rounded-sm px-1.5 py-0.5 hover:bg-hover hover:text-foreground',
          sort === by && 'text-foreground',
        )}
        onClick={() => onSort(by)}
      >
        {sort === by && <ArrowDown aria-hidden="true" className="size-3.5" />}
        {label}
      </button>
    </span>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of form fields
    <div
      role="group"
      aria-label="Sort visitors"
      className="hidden items-center gap-6 border-border border-b bg-sunken px-4 py-1.5 font-medium text-muted text-sm md:flex"
    >
      <span className="flex-1">Visitor</span>
      {sortable('items', 'Items', columns.items)}
      <span className={cn('flex', columns.rating)}>Last rating</span>
      {sortable('unanswered', 'Status', columns.status)}
      {sortable('seen', 'Last seen', columns.seen)}
    </div>
  )
}

/** A visitor in the list: who, how many items, the last rating, what is open, and when they were last seen. */
export function VisitorRow({ visitor }: { visitor: VisitorListItem }) {
  return (
    <li>
      <Link
        to={toVisitorPath(visitor.key)}
        className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 px-4 py-3 dense:py-1.5 hover:bg-hover md:flex md:gap-6"
      >
        <span className="contents md:flex md:min-w-0 md:flex-1 md:items-center md:gap-3">
          <VisitorLine visitor={visitor} />
        </span>
        <span className="col-start-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm md:contents">
          <span className={cn('flex tabular-nums', columns.items)}>
            <span>
              {formatMany(visitor.items)}
              <span className="md:sr-only">{visitor.items === 1 ? ' item' : ' items'}</span>
            </span>
          </span>
          <LastRating rating={visitor.lastRating} />
          <span className={cn('flex', columns.status)}>
            <VisitorStatus visitor={visitor} />
          </span>
          <span className={cn('flex md:text-muted md:text-sm', columns.seen)}>
            <RelativeTime iso={visitor.lastSeenAt} />
          </span>
        </span>
      </Link>
    </li>
  )
}

function LastRating({ rating }: { rating: number | null }) {
  if (rating === null) return <span className={cn('hidden md:block', columns.rating)} />
  return (
    <span className={cn('flex items-center gap-1 tabular-nums', columns.rating)}>
      <Star aria-hidden="true" className="size-3.5 fill-current" />
      <span className="sr-only">Last rating: </span>
      {rating}
      <span className="sr-only"> of 5</span>
    </span>
  )
}

/** What the team has to do for the visitor: answer, look after open items, or nothing. */
function VisitorStatus({ visitor: { openItems, unansweredItems } }: { visitor: VisitorListItem }) {
  if (unansweredItems > 0) return <Badge tone="warning">{formatMany(unansweredItems)} unanswered</Badge>
  if (openItems > 0) return <Badge tone="info">{formatMany(openItems)} open</Badge>
  return <span className="md:text-muted md:text-sm">Nothing open</span>
}

/** A count that ends at a limit: from there on with a plus. */
function formatMany(count: number): string {
  return `${count.toLocaleString(locale)}${count >= visitorCountLimit ? '+' : ''}`
}
