import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { logsQuery } from './log-queries.ts'
import type { LogSearch } from './log-search.ts'

/** A search that found little continues by itself for so many pages. */
const mostPagesByItself = 40
const enoughLines = 50

/** The pages that were read, and their lines; undefined: none is read yet. */
export function useStoredLines(search: LogSearch) {
  const list = useInfiniteQuery(logsQuery(search))
  const pages = list.data?.pages
  const stored = useMemo(() => pages?.flatMap(({ items }) => items), [pages])
  const isCurrent = stored !== undefined && !list.isPlaceholderData
  return { list, pages, stored, isCurrent }
}

type Pages = Pick<ReturnType<typeof useStoredLines>, 'list' | 'pages' | 'isCurrent'>

/** Reads older lines when asked to, and by itself while too few were found. */
export function useOlderLines(search: LogSearch, { list, pages, isCurrent }: Pages, lineCount: number) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const searchedTo = pages?.at(-1)?.searchedTo ?? null
  // Around a line, newer lines are read first, then older ones.
  const isHalf = search.around !== '' && pages?.length === 1 && hasNextPage
  const isShort = searchedTo !== null && lineCount < enoughLines && (pages?.length ?? 0) < mostPagesByItself
  const goesOn = isHalf || isShort
  const readOlder = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  useEffect(() => {
    if (goesOn && isCurrent) readOlder()
  }, [goesOn, isCurrent, readOlder])
  return { searchedTo, goesOn, readOlder }
}
