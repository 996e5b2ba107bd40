import { useCallback, useMemo, useState } from 'react'
import { type NavigateOptions, useLocation, useNavigate } from 'react-router'
import { type Filters, readFilters, readItemId, writeInboxSearch } from '../filters/feedback-filters.ts'

/** Marks a history entry that was made by opening an item from the list. */
interface OpenedHere {
  openedFromList: true
}

/**
 * The inbox's whole state, which is the address: filters and the open item. A requested state counts at once; the
 * router follows a moment later, and keys pressed meanwhile must not start from the state before.
 */
export function useInboxState() {
  const { search: currentSearch, state, key } = useLocation()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<{ fromKey: string; search: string }>()
  // The router has followed. Without forgetting, the back button would lead here and find the request still standing.
  if (asked !== undefined && asked.fromKey !== key) setAsked(undefined)
  const isPending = asked?.fromKey === key
  const search = isPending ? asked.search : currentSearch
  // Written by the inbox list; other screens' state lacks the field.
  const wasOpenedHere = (state as OpenedHere | null)?.openedFromList === true

  const { filters, itemId } = useMemo(() => {
    const parameters = new URLSearchParams(search)
    return { filters: readFilters(parameters), itemId: readItemId(parameters) }
  }, [search])

  const go = useCallback(
    (nextFilters: Filters, nextItemId: string | undefined, options: NavigateOptions | 'back') => {
      const next = writeInboxSearch(nextFilters, nextItemId)
      setAsked({ fromKey: key, search: next })
      if (options === 'back') void navigate(-1)
      else void navigate({ search: next }, { preventScrollReset: true, ...options })
    },
    [navigate, key],
  )

  const setFilters = useCallback(
    (next: Filters, { replace = false } = {}) => go(next, itemId, { replace }),
    [go, itemId],
  )

  /**
   * Opening makes a way back to the list; going from item to item doesn't lengthen it, nor does what opens by itself.
   */
  const openItem = useCallback(
    (id: string, { isAutomatic = false } = {}) => {
      if (isAutomatic) return go(filters, id, { replace: true })
      const isOpen = itemId !== undefined
      const opened: OpenedHere = { openedFromList: true }
      go(filters, id, { replace: isOpen, ...((!isOpen || wasOpenedHere) && { state: opened }) })
    },
    [go, filters, itemId, wasOpenedHere],
  )

  const closeItem = useCallback(() => {
    if (itemId === undefined) return
    go(filters, undefined, wasOpenedHere && !isPending ? 'back' : { replace: true })
  }, [go, filters, itemId, wasOpenedHere, isPending])

  return { filters, itemId, setFilters, openItem, closeItem }
}
