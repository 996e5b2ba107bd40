import { queryOptions } from '@tanstack/react-query'
import { getOrganizationDeletion, type OrganizationDeletion } from '#contract/organization-deletion.ts'
import { type Role, roles } from '#contract/permissions.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { dropEndedSession } from '#web/lib/auth-client.ts'
import { callFunction } from '#web/lib/call-function.ts'
import type { CurrentOrganization, Organization } from '#web/lib/organization.tsx'
import { keepSelectedOrganization, readSelectedOrganization } from '#web/lib/selected-organization.ts'
import { currentOrganizationKey } from '#web/shared/query-keys.ts'
import type { SuspendedOrganization } from './find-suspension.ts'

/** A row of `get_user_current_organization` and `get_user_organization_by_id`. */
interface OrganizationRow {
  organization_id: string
  organization_name: string
  organization_slug: string
  organization_created_at: string
  organization_trial_ends_at: string | null
  organization_subscription_status: string | null
  organization_subscription_plan_id: string | null
  membership_user_id: string
  membership_role: string
  membership_joined_at: string
}

/** The selected organisation, while it is closed. */
export interface ClosedOrganization {
  readonly id: string
  readonly deletion: OrganizationDeletion
}

/** What a person finds: their organisation, one that is closed or suspended, or none. */
export interface Standing {
  readonly current: CurrentOrganization | undefined
  readonly closed?: ClosedOrganization
  readonly suspended?: SuspendedOrganization
}

/** The person's current organisation: this tab's, else the last selected, else the first. */
export function currentOrganizationQuery(userId: string) {
  return queryOptions({
    queryKey: [...currentOrganizationKey, userId],
    queryFn: async ({ signal }): Promise<Standing> => {
      const [found, isSuperadmin] = await Promise.all([
        findOrganization(userId, signal),
        checkSuperadmin(userId, signal),
      ])
      if (found && 'deletion' in found) return { current: undefined, closed: found }
      if (found && 'suspension' in found) return { current: undefined, suspended: found }
      if (!found) {
        // A token of an ended session sees no rows: that is no missing organisation.
        await dropEndedSession()
        return { current: undefined }
      }
      keepSelectedOrganization(found.id)
      return { current: { organization: found, isSuperadmin } }
    },
  })
}

async function findOrganization(
  userId: string,
  signal: AbortSignal,
): Promise<Organization | ClosedOrganization | SuspendedOrganization | undefined> {
  const selected = readSelectedOrganization()
  if (selected !== null) {
    const rows = await callFunction('get_user_organization_by_id', { p_org_id: selected, p_user_id: userId }, signal)
    const organization = readRow(rows)
    if (organization) return organization
    const deletion = await findDeletion(selected, signal)
    if (deletion) return { id: selected, deletion }
    const suspended = await findSuspended(selected, signal)
    if (suspended) return suspended
    // The person left it since: fall back to another.
  }
  const other = readRow(await callFunction('get_user_current_organization', { p_user_id: userId }, signal))
  return other ?? findSuspended(null, signal)
}

// Few people need it.
async function findSuspended(selected: string | null, signal: AbortSignal): Promise<SuspendedOrganization | undefined> {
  const { findSuspension } = await import('./find-suspension.ts')
  return findSuspension(selected, signal)
}

/** Undefined: the organisation is not closed, or none of the person's. */
async function findDeletion(organizationId: string, signal: AbortSignal): Promise<OrganizationDeletion | undefined> {
  try {
    return await call(getOrganizationDeletion, { params: { organizationId }, signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Another organisation of the person: the first that they joined. Null without any. */
export function otherOrganizationQuery(userId: string, organizationId: string) {
  return queryOptions({
    queryKey: ['other-organization', userId, organizationId],
    queryFn: async ({ signal }): Promise<Organization | null> =>
      readRow(await callFunction('get_user_current_organization', { p_user_id: userId }, signal)) ?? null,
    staleTime: 0,
    networkMode: 'always',
  })
}

async function checkSuperadmin(userId: string, signal: AbortSignal): Promise<boolean> {
  return (await callFunction('is_superadmin', { user_id: userId }, signal)) === true
}

function readRow(rows: unknown): Organization | undefined {
  // The columns of the database function that gave the rows.
  const row = (Array.isArray(rows) ? rows[0] : undefined) as OrganizationRow | undefined
  if (!row) return undefined
  return {
    id: row.organization_id,
    name: row.organization_name,
    slug: row.organization_slug,
    createdAt: row.organization_created_at,
    trialEndsAt: row.organization_trial_ends_at,
    subscriptionStatus: row.organization_subscription_status,
    subscriptionPlanId: row.organization_subscription_plan_id,
    role: readRole(row.membership_role),
  }
}

/** An unknown role (from a newer server) gets the fewest permissions. */
function readRole(role: string): Role {
  return roles.find((known) => known === role) ?? 'viewer'
}
