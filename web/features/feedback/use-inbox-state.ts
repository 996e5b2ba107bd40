import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type Filters, readFilters, readItemId, writeInboxSearch } from './feedback-filters.ts'

/** Marks a history entry that was made by opening an item from the list. */
interface OpenedHere {
  openedFromList: true
}

/** The inbox's whole state, which is the address: filters and the open item. */
export function useInboxState() {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const wasOpenedHere = (state as OpenedHere | null)?.openedFromList === true
  const { filters, itemId } = useMemo(() => {
    const parameters = new URLSearchParams(search)
    return { filters: readFilters(parameters), itemId: readItemId(parameters) }
  }, [search])

  const setFilters = useCallback(
    (next: Filters, { replace = false } = {}) => navigate({ search: writeInboxSearch(next, itemId) }, { replace }),
    [navigate, itemId],
  )

  /** Opening makes a way back to the list; going from item to item doesn't lengthen it. */
  const openItem = useCallback(
    (id: string) => {
      const isOpen = itemId !== undefined
      const opened: OpenedHere = { openedFromList: true }
      void navigate(
        { search: writeInboxSearch(filters, id) },
        { replace: isOpen, preventScrollReset: true, ...((!isOpen || wasOpenedHere) && { state: opened }) },
      )
    },
    [navigate, filters, itemId, wasOpenedHere],
  )

  const closeItem = useCallback(() => {
    if (itemId === undefined) return
    if (wasOpenedHere) void navigate(-1)
    else void navigate({ search: writeInboxSearch(filters, undefined) }, { replace: true })
  }, [navigate, filters, itemId, wasOpenedHere])

  return { filters, itemId, setFilters, openItem, closeItem }
}
