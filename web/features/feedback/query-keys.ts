import { feedbackKey } from '#web/shared/query-keys.ts'

/** Every cached list, whatever its filters. */
export const listsKey = (organizationId: string) => [...feedbackKey(organizationId), 'list'] as const
/** Every cached count. */
export const countsKey = (organizationId: string) => [...feedbackKey(organizationId), 'counts'] as const
/** Every whole item. */
export const itemsKey = (organizationId: string) => [...feedbackKey(organizationId), 'item'] as const
export const itemKey = (organizationId: string, id: string) => [...itemsKey(organizationId), id] as const
