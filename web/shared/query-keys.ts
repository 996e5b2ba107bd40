/** All that is read of an organisation's items: lists, counts, single items. */
export const feedbackKey = (organizationId: string) => ['feedback', organizationId] as const

/** Begins the keys of what a person finds: their organisation, one that is closed, or none. */
export const currentOrganizationKey = ['current-organization'] as const

/** Begins the keys of billing: limits and their use, the subscription, the next invoice, all invoices. */
export const billingKey = ['billing'] as const
