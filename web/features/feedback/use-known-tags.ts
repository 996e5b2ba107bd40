import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '#web/lib/organization.tsx'
import { countsQuery } from './feedback-queries.ts'

/** The organisation's tags, the most used first. */
export function useKnownTags(): string[] {
  const { organization } = useOrganization()
  const { data } = useQuery(countsQuery(organization.id, { location: 'inbox', stage: 'all', project: [] }))
  return Object.entries(data?.tag ?? {})
    .sort(([, a], [, b]) => b - a)
    .map(([tag]) => tag)
}
