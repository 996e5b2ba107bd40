import { ArrowUp, ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { formatMatchCount } from '../filters/match-count.ts'
import type { ListGroup } from '../groups/use-grouped-list.ts'
import { FeedbackRow, type RowPerson } from './feedback-row.tsx'
import { headingHeight, useRowHeight } from './row-height.ts'
import { type GroupPlace, placeRows, type RowPlaces } from './row-places.ts'
import { useRowsInView } from './use-rows-in-view.ts'

/** Rows from the end at which the next page is asked for. */
const rowsAhead = 15

interface ListProps {
  items: readonly FeedbackListItem[]
  /** Undefined: the list has no groups. Rows of open groups are all of `items`, in their order. */
  groups: readonly ListGroup[] | undefined
  labelGroup: (value: string) => ReactNode
  onToggleGroup: (value: string) => void
  projectNames: ReadonlyMap<string, string>
  people: ReadonlyMap<string, RowPerson>
  openId: string | undefined
  currentId: string | undefined
  /** Raised whenever the keyboard moved: the row is then brought into view and focused. */
  moves: number
  hrefOf: (id: string) => string
  onOpen: (id: string) => void
  canChoose: boolean
  chosenIds: ReadonlySet<string>
  onToggle: (id: string, isRange: boolean) => void
  /** Called with the last row in view. */
  onView: (lastIndex: number) => void
  /** Menus to show in a row, if the keyboard asked for one there. */
  menusOf: (item: FeedbackListItem) => ReactNode | undefined
  /** How many items arrived above what is in view. */
  arrivedCount: number
  onTop: () => void
  more: { has: boolean; isLoading: boolean; error: Error | null; load: () => void }
  /** The items are those of earlier filters, until the new ones are there. */
  isOutdated: boolean
}

/** The list: only the rows in view exist, and what is being read stays where it is when others come or go. */
export function FeedbackList(props: ListProps) {
  const { items, groups, currentId, openId, moves, arrivedCount, onTop, more } = props
  const scroller = useRef<HTMLElement>(null)
  const rowHeight = useRowHeight()
  const groupSizes = groups?.map(({ rows }) => rows).join()
  const places = useMemo(
    () => placeRows(items.length, rowHeight, headingHeight, groupSizes?.split(',').map(Number)),
    [items.length, rowHeight, groupSizes],
  )
  useScrollAnchor(scroller, items, places)
  const { drawn, bringIntoView } = useRowsInView(scroller, places)

  // On a narrow screen the list was hidden meanwhile. It is where it was, but its rows are told so by scrolling alone.
  useLayoutEffect(() => {
    if (openId === undefined) scroller.current?.dispatchEvent(new Event('scroll'))
  }, [openId])

  const currentIndex = items.findIndex(({ id }) => id === currentId)
  useKeyboardScroll(scroller, bringIntoView, currentIndex, currentId, moves)

  const lastIndex = drawn.at(-1) ?? 0
  const { onView } = props
  useEffect(() => onView(lastIndex), [onView, lastIndex])
  const wantsMore = more.has && !more.isLoading && more.error === null && lastIndex >= items.length - rowsAhead
  useEffect(() => {
    if (wantsMore) more.load()
  }, [wantsMore, more.load])

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        data-inbox-list
        aria-label="Feedback"
        aria-busy={props.isOutdated}
        onScroll={(event) => event.currentTarget.scrollTop < rowHeight && onTop()}
        className={cn(
          '@container min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]',
          props.isOutdated && 'opacity-60 transition-opacity delay-150',
        )}
      >
        {groups === undefined ? (
          <Rows {...props} rows={drawn} place={{ first: 0, rows: items.length, top: 0 }} places={places} />
        ) : (
          <div className="relative" style={{ height: places.heightPixels }}>
            {groups.map((group, index) => {
              const place = places.groups[index]
              const isInView = place && place.first <= lastIndex + 1 && place.first + place.rows >= (drawn[0] ?? 0)
              return (
                isInView && (
                  <Group key={group.value} {...props} group={group} rows={drawn} place={place} places={places} />
                )
              )
            })}
          </div>
        )}
        <ListEnd more={more} count={items.length} />
        {/* The last rows can be scrolled out from under the bar. */}
        {props.chosenIds.size > 0 && <div className="h-24" />}
      </section>
      {arrivedCount > 0 && (
        <ArrivedButton
          count={arrivedCount}
          onPress={() => {
            scroller.current?.scrollTo({ top: 0 })
            onTop()
          }}
        />
      )}
    </div>
  )
}

interface PartProps extends ListProps {
  /** Indexes of the rows that are drawn in the whole list. */
  rows: readonly number[]
  /** The part of the list that this is. */
  place: GroupPlace
  places: RowPlaces
}

/** A heading, which stays at the top while its rows are in view, and the rows; closed, the heading alone. */
function Group({ group, ...props }: PartProps & { group: ListGroup }) {
  const { place, places, labelGroup, onToggleGroup } = props
  const { value, count, isOpen } = group
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="absolute inset-x-0"
      style={{ top: place.top, height: headingHeight + place.rows * places.rowHeight }}
    >
      <h2 className="sticky top-0 z-10 border-border border-b bg-sunken" style={{ height: headingHeight }}>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onToggleGroup(value)}
          className="flex size-full items-center gap-2 px-3 text-left font-medium text-sm hover:bg-hover focus-visible:outline-offset-[-2px] [&_svg]:size-4 [&_svg]:shrink-0"
        >
          <ChevronDown aria-hidden="true" className={cn('text-muted transition-transform', !isOpen && '-rotate-90')} />
          <span id={id} className="flex min-w-0 items-center gap-2">
            {labelGroup(value)}
            {count && <span className="font-normal text-muted tabular-nums">{formatMatchCount(count)}</span>}
          </span>
        </button>
      </h2>
      {isOpen && <Rows {...props} />}
    </section>
  )
}

/** Those rows of a part of the list that are drawn. */
function Rows({ rows, place, places, ...props }: PartProps) {
  const { items } = props
  const hasCurrent = items.some(({ id }) => id === props.currentId)
  return (
    <ul className="relative" style={{ height: place.rows * places.rowHeight }}>
      {rows
        .filter((index) => index >= place.first && index < place.first + place.rows)
        .map((index) => {
          const item = items[index]
          return (
            item && <ListRow key={item.id} {...props} item={item} index={index} place={place} hasCurrent={hasCurrent} />
          )
        })}
    </ul>
  )
}

/** A row where the virtual list places it. */
function ListRow({
  item,
  index,
  place,
  hasCurrent,
  ...props
}: ListProps & { item: FeedbackListItem; index: number; place: GroupPlace; hasCurrent: boolean }) {
  const { currentId, more, chosenIds } = props
  const height = useRowHeight()
  return (
    <li
      aria-setsize={more.has ? -1 : place.rows}
      aria-posinset={index - place.first + 1}
      className="absolute inset-x-0 top-0"
      style={{ height, transform: `translateY(${(index - place.first) * height}px)` }}
    >
      <FeedbackRow
        item={item}
        projectName={props.projectNames.get(item.projectId)}
        href={props.hrefOf(item.id)}
        isOpen={item.id === props.openId}
        isCurrent={item.id === currentId || (!hasCurrent && index === 0)}
        assignee={item.assigneeId === null ? undefined : props.people.get(item.assigneeId)}
        isChosen={chosenIds.has(item.id)}
        isChoosing={chosenIds.size > 0}
        canChoose={props.canChoose}
        onOpen={props.onOpen}
        onToggle={props.onToggle}
        menus={props.menusOf(item)}
      />
    </li>
  )
}

/** Leads to new items above the rows in view. */
function ArrivedButton({ count, onPress }: { count: number; onPress: () => void }) {
  return (
    <Button size="sm" className="absolute top-3 left-1/2 -translate-x-1/2 rounded-full shadow-md" onClick={onPress}>
      <ArrowUp aria-hidden="true" />
      {count} new
    </Button>
  )
}

function ListEnd({ more, count }: { more: ListProps['more']; count: number }) {
  return (
    <div className="flex h-14 items-center justify-center gap-3 text-muted text-sm">
      {more.error ? (
        <>
          <span>Couldn’t load more.</span>
          <Button size="sm" variant="secondary" onClick={more.load}>
            Try again
          </Button>
        </>
      ) : more.has ? (
        <Spinner label="Loading more" />
      ) : (
        count > 10 && <span>End of list</span>
      )}
    </div>
  )
}

/** Moves focus to an item's row without scrolling. @returns whether the row is drawn. */
export function focusRow(container: ParentNode | null, id: string | undefined): boolean {
  const row = id === undefined ? null : container?.querySelector<HTMLElement>(`[data-item-id="${CSS.escape(id)}"]`)
  row?.focus({ preventScroll: true })
  return !!row
}

/** Brings the row on which the keyboard stands into view and focuses it, whenever `moves` is raised. */
function useKeyboardScroll(
  scroller: { current: HTMLElement | null },
  bringIntoView: (index: number) => void,
  currentIndex: number,
  currentId: string | undefined,
  moves: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move of the keyboard scrolls
  useEffect(() => {
    if (moves === 0 || currentIndex === -1) return
    bringIntoView(currentIndex)
    if (focusRow(scroller.current, currentId)) return
    // The row has to be drawn first.
    const frame = requestAnimationFrame(() => {
      // A key pressed since then may have opened a menu, which would close without its focus.
      if (!document.activeElement?.closest('[role="menu"], [role="dialog"]')) focusRow(scroller.current, currentId)
    })
    return () => cancelAnimationFrame(frame)
  }, [moves])
}

/**
 * Keeps the first row in view where it is when rows come or go above it. Browsers do this by themselves only for rows
 * that are all in the document. At the very top nothing is held: there, new rows are meant to be seen.
 */
function useScrollAnchor(
  scroller: { current: HTMLElement | null },
  items: readonly FeedbackListItem[],
  places: RowPlaces,
): void {
  const before = useRef({ items, places })
  useLayoutEffect(() => {
    const element = scroller.current
    const old = before.current
    before.current = { items, places }
    if (!element || (old.items === items && old.places === places) || element.scrollTop < 1) return
    const oldIndex = Math.max(0, old.places.findRow(element.scrollTop))
    const anchorId = old.items[oldIndex]?.id
    const index = items.findIndex(({ id }) => id === anchorId)
    if (index !== -1) element.scrollTop += places.topOf(index) - old.places.topOf(oldIndex)
  }, [scroller, items, places])
}
