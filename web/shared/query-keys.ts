/** All that is read of an organisation's items: lists, counts, single items. */
export const feedbackKey = (organizationId: string) => ['feedback', organizationId] as const
