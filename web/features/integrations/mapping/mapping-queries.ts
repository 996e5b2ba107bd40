import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listFeedback } from '#contract/inbox.ts'
import type { IssueMapping } from '#contract/issue-mapping.ts'
import { listTrackerStatuses, previewIssue } from '#contract/issue-preview.ts'
import { call } from '#web/lib/api.ts'
import { integrationsKey } from '../integrations-query.ts'

interface Place {
  readonly organizationId: string
  readonly integrationId: string
}

const statusesStaleMs = 60_000
/** Projects in which the same number is offered. */
const maxCandidates = 50

/** Statuses that issues of the tracker can have. It is asked once, and again by hand. */
export function statusesQuery({ organizationId, integrationId }: Place) {
  return queryOptions({
    queryKey: [...integrationsKey(organizationId), 'statuses', integrationId],
    queryFn: ({ signal }) => call(listTrackerStatuses, { params: { organizationId, integrationId }, signal }),
    select: ({ items }) => items,
    staleTime: statusesStaleMs,
    retry: false,
    networkMode: 'always',
  })
}

/** The issue that an item would become; without an id, the newest that matches. */
export function previewQuery(
  { organizationId, integrationId }: Place,
  feedbackId: string | undefined,
  mapping: IssueMapping,
) {
  return queryOptions({
    queryKey: [...integrationsKey(organizationId), 'preview', integrationId, feedbackId ?? 'newest', mapping],
    queryFn: ({ signal }) =>
      call(previewIssue, {
        params: { organizationId, integrationId },
        body: { mapping, ...(feedbackId !== undefined && { feedbackId }) },
        signal,
      }),
    select: ({ issue }) => issue,
    placeholderData: keepPreviousData,
    retry: false,
    networkMode: 'always',
  })
}

/** Items with a number: one in each project that has so many. */
export function numberedQuery(organizationId: string, number: number) {
  return queryOptions({
    queryKey: [...integrationsKey(organizationId), 'numbered', number],
    queryFn: ({ signal }) =>
      call(listFeedback, {
        params: { organizationId },
        query: { q: `#${number}`, limit: maxCandidates },
        signal,
      }),
    select: ({ items }) => items,
    networkMode: 'always',
  })
}
