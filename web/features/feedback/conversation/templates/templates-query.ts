import { queryOptions } from '@tanstack/react-query'
import { listReplyTemplates } from '#contract/reply-templates.ts'
import { call } from '#web/lib/api.ts'

/** The team's reply templates, by name. */
export function templatesQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['reply-templates', organizationId],
    queryFn: ({ signal }) => call(listReplyTemplates, { params: { organizationId }, signal }),
    select: ({ items }) => items,
    staleTime: 30_000,
    networkMode: 'always',
  })
}
