import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { FeedbackRow, type RowPerson, rowHeightPixels } from './feedback-row.tsx'

/** Rows from the end at which the next page is asked for. */
const rowsAhead = 15

const estimateRow = () => rowHeightPixels

interface ListProps {
  items: readonly FeedbackListItem[]
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
  const { items, currentId, openId, moves, arrivedCount, onTop, more } = props
  const scroller = useRef<HTMLElement>(null)
  // The same functions at every rendering: with new ones, ten thousand rows would be measured again at every step.
  const getItemKey = useCallback((index: number) => items[index]?.id ?? index, [items])
  const getScrollElement = useCallback(() => scroller.current, [])
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement,
    estimateSize: estimateRow,
    getItemKey,
    overscan: 4,
    useFlushSync: false,
  })
  useScrollAnchor(scroller, items)

  // On a narrow screen the list was hidden meanwhile. It is where it was, but its rows are told so by scrolling alone.
  useLayoutEffect(() => {
    if (openId === undefined) scroller.current?.dispatchEvent(new Event('scroll'))
  }, [openId])

  const currentIndex = items.findIndex(({ id }) => id === currentId)
  useKeyboardScroll(scroller, rows, currentIndex, currentId, moves)

  const drawn = rows.getVirtualItems()
  const lastIndex = drawn.at(-1)?.index ?? 0
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
        onScroll={(event) => event.currentTarget.scrollTop < rowHeightPixels && onTop()}
        className={cn(
          'min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]',
          props.isOutdated && 'opacity-60 transition-opacity delay-150',
        )}
      >
        <ul className="relative" style={{ height: rows.getTotalSize() }}>
          {drawn.map(({ index, start, key }) => {
            const item = items[index]
            return (
              item && (
                <ListRow
                  key={key}
                  {...props}
                  item={item}
                  index={index}
                  start={start}
                  hasCurrent={currentIndex !== -1}
                />
              )
            )
          })}
        </ul>
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

/** A row where the virtual list places it, in pixels from its top. */
function ListRow({
  item,
  index,
  start,
  hasCurrent,
  ...props
}: ListProps & { item: FeedbackListItem; index: number; start: number; hasCurrent: boolean }) {
  const { items, currentId, more, chosenIds } = props
  return (
    <li
      aria-setsize={more.has ? -1 : items.length}
      aria-posinset={index + 1}
      className="absolute inset-x-0 top-0"
      style={{ height: rowHeightPixels, transform: `translateY(${start}px)` }}
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
  rows: { scrollToIndex: (index: number, options: { align: 'auto' }) => void },
  currentIndex: number,
  currentId: string | undefined,
  moves: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move of the keyboard scrolls
  useEffect(() => {
    if (moves === 0 || currentIndex === -1) return
    rows.scrollToIndex(currentIndex, { align: 'auto' })
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
function useScrollAnchor(scroller: { current: HTMLElement | null }, items: readonly FeedbackListItem[]): void {
  const before = useRef(items)
  useLayoutEffect(() => {
    const element = scroller.current
    const old = before.current
    before.current = items
    if (!element || old === items || element.scrollTop < 1) return
    const oldIndex = Math.floor(element.scrollTop / rowHeightPixels)
    const anchorId = old[oldIndex]?.id
    const index = items.findIndex(({ id }) => id === anchorId)
    if (index !== -1 && index !== oldIndex) element.scrollTop += (index - oldIndex) * rowHeightPixels
  }, [scroller, items])
}
