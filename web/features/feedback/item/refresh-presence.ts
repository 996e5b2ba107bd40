import type { QueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/query-client.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'

export const presenceKey = (organizationId: string, feedbackId: string) =>
  [...feedbackKey(organizationId), 'presence', feedbackId] as const

/** Asks again who is there, if one of these items is open here. */
export function refreshPresence(queryClient: QueryClient, organizationId: string, ids: readonly string[]): void {
  for (const id of ids) void readAgain(queryClient, presenceKey(organizationId, id))
}
