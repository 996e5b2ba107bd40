import type { Member } from '#contract/organizations.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { listMembers } from './members.queries.ts'

export interface Members {
  /** All members of the organisation, by name. */
  list(actor: Actor, organizationId: string): Promise<Member[]>
}

export function createMembers(database: Database): Members {
  return {
    list: (actor, organizationId) => database.withTenant(actor, (tx) => listMembers(tx, organizationId)),
  }
}
