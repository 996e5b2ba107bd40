import { queryOptions } from '@tanstack/react-query'
import { type Role, roles } from '#contract/permissions.ts'
import { dropEndedSession } from '#web/lib/auth-client.ts'
import type { CurrentOrganization, Organization } from '#web/lib/organization.tsx'
import { getRpcClient } from '#web/lib/session.tsx'
import { readStored, storageKeys, writeStored } from '#web/lib/storage.ts'

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

/** The person's current organisation: the last selected, else the first. Null without any. */
export function currentOrganizationQuery(userId: string) {
  return queryOptions({
    queryKey: ['current-organization', userId],
    queryFn: async ({ signal }): Promise<CurrentOrganization | null> => {
      const [organization, isSuperadmin] = await Promise.all([
        findOrganization(userId, signal),
        checkSuperadmin(userId, signal),
      ])
      if (!organization) {
        // A token of an ended session sees no rows: that is no missing organisation.
        await dropEndedSession()
        return null
      }
      writeStored(storageKeys.selectedOrganizationId, organization.id)
      return { organization, isSuperadmin }
    },
  })
}

async function findOrganization(userId: string, signal: AbortSignal): Promise<Organization | undefined> {
  const selected = readStored(storageKeys.selectedOrganizationId)
  if (selected !== null) {
    const rows = await callFunction('get_user_organization_by_id', { p_org_id: selected, p_user_id: userId }, signal)
    const organization = readRow(rows)
    // The selected organisation may be left since: fall back to another.
    if (organization) return organization
  }
  return readRow(await callFunction('get_user_current_organization', { p_user_id: userId }, signal))
}

async function checkSuperadmin(userId: string, signal: AbortSignal): Promise<boolean> {
  return (await callFunction('is_superadmin', { user_id: userId }, signal)) === true
}

async function callFunction(name: string, args: Record<string, string>, signal: AbortSignal): Promise<unknown> {
  const { data, error, status } = await getRpcClient().rpc(name, args).abortSignal(signal)
  if (error) throw Object.assign(new Error(error.message), { code: error.code, status })
  return data
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
