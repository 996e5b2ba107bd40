import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { itemQuery } from '../feedback-queries.ts'
import { useStoreState } from '../feedback-store.ts'
import { showDetail } from '../store/show-detail.ts'

/** The whole item with newer rows and pending changes on top; undefined id: none. */
export function useItem(organizationId: string, id: string | undefined) {
  const { data, error, refetch } = useQuery({ ...itemQuery(organizationId, id ?? ''), enabled: id !== undefined })
  const { items, pending } = useStoreState(organizationId)
  const detail = useMemo(() => data && showDetail({ items, pending }, data), [data, items, pending])
  return { detail, error, refetch }
}
