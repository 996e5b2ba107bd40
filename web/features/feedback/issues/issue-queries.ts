import { queryOptions } from '@tanstack/react-query'
import type { Integration } from '#contract/integrations.ts'
import { listIssueLinks } from '#contract/issue-links.ts'
import { call } from '#web/lib/api.ts'
import { connectedQuery } from '#web/shared/connected-query.ts'
import type { Choice } from '#web/ui/select-menu.tsx'
import { itemKey } from '../query-keys.ts'

/** While a tracker has not answered yet, in tabs that live events don't reach. */
const waitingPollMs = 5_000

/** The issues that an item is linked to. Under the item's key: what outdates the item outdates them. */
export function issueLinksQuery(organizationId: string, feedbackId: string) {
  return queryOptions({
    queryKey: [...itemKey(organizationId, feedbackId), 'issues'],
    queryFn: ({ signal }) => call(listIssueLinks, { params: { organizationId, feedbackId }, signal }),
    staleTime: 30_000,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === 'creating') ? waitingPollMs : false,
    networkMode: 'always',
  })
}

export type Tracker = Pick<Integration, 'id' | 'type' | 'service' | 'name' | 'account'>

/** Connected issue trackers, whether active or not. */
export function trackersQuery(organizationId: string) {
  return queryOptions({
    ...connectedQuery(organizationId),
    select: ({ items }) => items.filter(({ isTracker }) => isTracker),
    staleTime: 60_000,
  })
}

/** A failing tracker is asked, too: it may answer again. */
export function isActive({ state }: Pick<Integration, 'state'>): boolean {
  return state === 'active' || state === 'failing'
}

/** Trackers for a menu: the name, and the account that tells those of one service apart. */
export function listChoices(trackers: readonly Tracker[]): Choice[] {
  return trackers.map(({ id, name, account }) => ({
    value: id,
    label: name,
    ...(account !== null && { note: account }),
  }))
}
