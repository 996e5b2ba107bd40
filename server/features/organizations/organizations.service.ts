import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { CallerLookup } from '#server/platform/http/guard.ts'
import { findStanding, saveInstanceSettings } from './organizations.queries.ts'

/** For superadmins, who delete an organisation that is none of theirs. */
export { closeFor as closeOrganizationFor, endGrace as endOrganizationGrace } from './deletion.queries.ts'

/** How guards learn what a signed-in person may do. */
export function createStandingLookup(database: Database): CallerLookup['findStanding'] {
  return (actor, organizationId) => findStanding(database, actor, organizationId)
}

/** Once per start: sign-up happens in the database, so the database must know of trials and superadmins. */
export async function applyInstanceSettings(database: Database, config: Config): Promise<void> {
  await saveInstanceSettings(database, {
    billingEnabled: config.billing,
    superadminEmails: config.superadminEmails,
  })
}
