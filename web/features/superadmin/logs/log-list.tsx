import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef } from 'react'
import type { LogLine } from '#contract/superadmin-logs.ts'
import { LogRow } from './log-row.tsx'
import type { LogSearch } from './log-search.ts'

const rowPixels = 29
/** Further down, new lines wait for a press: what is being read must not move. */
const topPixels = 40

interface LogListProps {
  lines: readonly LogLine[]
  isBusy: boolean
  currentId: string | undefined
  openIds: ReadonlySet<string>
  onToggle: (id: string) => void
  onFilter: (change: Partial<LogSearch>) => void
  /** Told whenever that changes. */
  onAtTop: (isAtTop: boolean) => void
  /** The end is near. */
  onEnd: () => void
  scroller: RefObject<HTMLElement | null>
}

/** Lines in a box that scrolls; only those in sight are in the page, so that 10,000 stay smooth. */
export function LogList({
  lines,
  isBusy,
  currentId,
  openIds,
  onToggle,
  onFilter,
  onAtTop,
  onEnd,
  scroller,
}: LogListProps) {
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 20,
  })
  const currentIndex = lines.findIndex(({ id }) => id === currentId)
  const shownIndex = useRef(-1)
  useEffect(() => {
    if (currentIndex >= 0 && currentIndex !== shownIndex.current)
      virtualizer.scrollToIndex(currentIndex, { align: 'auto' })
    shownIndex.current = currentIndex
  }, [currentIndex, virtualizer])
  const items = virtualizer.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown >= lines.length - 50) onEnd()
  }, [lastShown, lines.length, onEnd])
  return (
    <section
      ref={scroller}
      className="h-[max(22rem,calc(100dvh-20rem))] overflow-y-auto overscroll-contain rounded-lg border border-border bg-surface shadow-sm focus-visible:outline-offset-[-2px]"
      // A box that scrolls is reached by the keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      aria-label="Log lines"
      aria-busy={isBusy}
      onScroll={({ currentTarget }) => onAtTop(currentTarget.scrollTop < topPixels)}
    >
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <LogRow
                line={line}
                isCurrent={line.id === currentId}
                isOpen={openIds.has(line.id)}
                onToggle={() => onToggle(line.id)}
                onFilter={onFilter}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
