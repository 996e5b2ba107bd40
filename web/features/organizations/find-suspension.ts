import { getOrganizationSuspension, type OrganizationSuspension } from '#contract/organization-suspension.ts'
import { listOwnOrganizations } from '#contract/own-organizations.ts'
import { ApiError, call } from '#web/lib/api.ts'

/** An organisation of the person, while it is suspended. */
export interface SuspendedOrganization {
  readonly id: string
  readonly suspension: OrganizationSuspension
}

/**
 * The selected organisation if it is suspended. Without a selection: the first that is, for a person who has no other.
 * Undefined: there is none.
 */
export async function findSuspension(
  selected: string | null,
  signal: AbortSignal,
): Promise<SuspendedOrganization | undefined> {
  const id = selected ?? (await findSuspended(signal))
  if (id === undefined) return undefined
  try {
    return { id, suspension: await call(getOrganizationSuspension, { params: { organizationId: id }, signal }) }
  } catch (error) {
    // Not suspended, closed, or none of the person's.
    if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return undefined
    throw error
  }
}

async function findSuspended(signal: AbortSignal): Promise<string | undefined> {
  const { items } = await call(listOwnOrganizations, { query: {}, signal })
  return items.find(({ suspendedAt, deleteAfter }) => suspendedAt !== null && deleteAfter === null)?.id
}
