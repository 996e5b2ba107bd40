import { createContext, useContext } from 'react'
import { isAllowed, type Permission, type Role } from '#contract/permissions.ts'

/** An organisation as its member sees it. Times are ISO 8601 UTC. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly createdAt: string
  readonly trialEndsAt: string | null
  readonly subscriptionStatus: string | null
  readonly subscriptionPlanId: string | null
  readonly role: Role
}

export interface CurrentOrganization {
  readonly organization: Organization
  readonly isSuperadmin: boolean
}

const OrganizationContext = createContext<CurrentOrganization | undefined>(undefined)

export const OrganizationProvider = OrganizationContext.Provider

/**
 * The organisation that the dashboard shows, and what the signed-in person may do in it:
 * `const { organization, can } = useOrganization()`. Only inside the dashboard.
 */
export function useOrganization() {
  const current = useContext(OrganizationContext)
  if (!current) throw new Error('useOrganization is used outside the dashboard')
  const { organization, isSuperadmin } = current
  return {
    organization,
    isSuperadmin,
    can: (permission: Permission) => isAllowed(organization.role, permission, isSuperadmin),
  }
}
