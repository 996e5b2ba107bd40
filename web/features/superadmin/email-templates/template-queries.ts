import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  type EmailTemplateGroup,
  getEmailTemplate,
  getEmailTemplateRevision,
  listEmailTemplateRevisions,
  listEmailTemplates,
} from '#contract/email-templates.ts'
import { call } from '#web/lib/api.ts'

export const templatesKey = ['superadmin', 'email-templates']

export const groupLabels: Readonly<Record<EmailTemplateGroup, string>> = {
  all: 'All emails',
  sign_in: 'Sign-in',
  team: 'Team',
  feedback: 'Feedback',
  billing: 'Billing',
  operation: 'Operation',
}

export const templatesQuery = queryOptions({
  queryKey: [...templatesKey, 'list'],
  queryFn: ({ signal }) => call(listEmailTemplates, { signal }),
  refetchOnMount: 'always',
  networkMode: 'always',
})

export function templateQuery(id: string) {
  return queryOptions({
    queryKey: [...templatesKey, 'one', id],
    queryFn: ({ signal }) => call(getEmailTemplate, { params: { emailTemplateId: id }, signal }),
    // The editor has the words from then on: a later answer must not replace them.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    networkMode: 'always',
  })
}

export function revisionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...templatesKey, 'revisions', id],
    queryFn: ({ pageParam, signal }) =>
      call(listEmailTemplateRevisions, {
        params: { emailTemplateId: id },
        query: pageParam === undefined ? {} : { before: pageParam },
        signal,
      }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore ?? undefined,
    networkMode: 'always',
  })
}

export function revisionQuery(id: string, revisionId: string) {
  return queryOptions({
    queryKey: [...templatesKey, 'revision', id, revisionId],
    queryFn: ({ signal }) =>
      call(getEmailTemplateRevision, {
        params: { emailTemplateId: id, emailRevisionId: revisionId },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })
}
