import type { SystemTx } from '#server/platform/database/database.ts'
import * as queries from './owner-notices.queries.ts'
import { findDefinition } from './registry.ts'

/* What owners are emailed about integrations. Taking it notes that it was: the emails belong into the same transaction. */

export interface IntegrationPlace {
  readonly organizationId: string
  readonly integrationId: string
}

interface Named extends IntegrationPlace {
  readonly name: string
  /** The service's own name. */
  readonly service: string
}

/** Integrations whose token ends within 30 days, and whose owners were not warned of that yet. */
export { listEndingTokens } from './owner-notices.queries.ts'

/** Undefined: the integration is not disabled any more, or its owners were emailed. */
export async function takeDisabledIntegration(
  tx: SystemTx,
  place: IntegrationPlace,
): Promise<(Named & { reason: string | null }) | undefined> {
  const taken = await queries.takeDisabled(tx, place)
  return taken && { ...place, name: taken.name, reason: taken.reason, service: nameService(taken.type) }
}

/** Undefined: its owners were warned, or it has another token. */
export async function takeEndingToken(
  tx: SystemTx,
  place: IntegrationPlace,
): Promise<(Named & { endsAt: Date; daysLeft: number }) | undefined> {
  const taken = await queries.takeEndingToken(tx, place)
  if (!taken) return undefined
  const { type, ...rest } = taken
  return { ...place, ...rest, service: nameService(type) }
}

const nameService = (type: string) => findDefinition(type)?.name ?? type
