/** All that is read of an organisation's items: lists, counts, single items. */
export const feedbackKey = (organizationId: string) => ['feedback', organizationId] as const

/** Begins the keys of what a person finds: their organisation, one that is closed, or none. */
export const currentOrganizationKey = ['current-organization'] as const

/** An organisation's trial, plan and limits, and what it uses. */
export const entitlementsKey = (organizationId: string) => ['entitlements', organizationId] as const

/** Begins the keys of what an owner reads of billing: the subscription, the next invoice, all invoices. */
export const billingKey = (organizationId: string) => ['billing', organizationId] as const
