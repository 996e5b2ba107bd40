import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { findOrganizationOf, type LinkedNoun } from '#contract/own-organizations.ts'
import { call } from './api.ts'
import { withoutBasePath } from './base-path.ts'
import { useOrganization } from './organization.tsx'
import { switchOrganization } from './selected-organization.ts'

/**
 * Opens a link to an item or a project in the organisation that has it, if it is another of the person's own.
 *
 * @returns whether it is still being looked for. False: no other organisation of theirs has it.
 */
export function useOtherOrganization(linked: LinkedNoun, id: string): boolean {
  const { organization } = useOrganization()
  const { data, isPending } = useQuery({
    queryKey: ['organization-of', linked, id],
    queryFn: ({ signal }) => call(findOrganizationOf, { params: { linked, id }, signal }),
    staleTime: 0,
    retry: false,
  })
  const otherId = data && data.id !== organization.id ? data.id : undefined
  useEffect(() => {
    if (otherId !== undefined)
      void switchOrganization(otherId, withoutBasePath(window.location.pathname) + window.location.search)
  }, [otherId])
  return isPending || otherId !== undefined
}
