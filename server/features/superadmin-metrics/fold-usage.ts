import type { Database, SystemTx } from '#server/platform/database/database.ts'
import {
  addUsageChanges,
  deriveActivations,
  lacksSums,
  listAllStale,
  noteVerified,
  sumOverOrganizations,
  sumWidgetUsage,
  tryLockUsage,
} from './fold-usage.queries.ts'

const reason = 'use is summed over all organisations'
/** Rows that one transaction adds up. */
const changesAtOnce = 20_000
const repairedWidgetDays = 8

/** Adds up what was counted since. Doing it twice changes nothing: counted rows are deleted in the same transaction. */
export async function foldUsage(database: Database): Promise<void> {
  for (;;) {
    const taken = await database.asSystem(reason, async (tx) => {
      if (!(await tryLockUsage(tx))) return 0
      if (await lacksSums(tx)) await repairAll(tx)
      const added = await addUsageChanges(tx, changesAtOnce)
      await derive(tx, added ?? { days: [], organizationIds: [] })
      return added?.taken ?? 0
    })
    if (taken < changesAtOnce) return
  }
}

/** Sums the widget's hours of today and the day before. */
export async function foldWidgetUsage(database: Database): Promise<void> {
  await database.asSystem(reason, async (tx) => {
    if (await tryLockUsage(tx)) await derive(tx, await sumWidgetUsage(tx, 1))
  })
}

/** Makes all sums over organisations again: deleted organisations leave them. */
export async function repairUsage(database: Database): Promise<void> {
  await database.asSystem(reason, async (tx) => {
    if (!(await tryLockUsage(tx))) return
    await sumWidgetUsage(tx, repairedWidgetDays)
    await repairAll(tx)
  })
}

async function repairAll(tx: SystemTx): Promise<void> {
  await deriveActivations(tx, null)
  await noteVerified(tx)
  await sumOverOrganizations(tx, await listAllStale(tx))
}

async function derive(
  tx: SystemTx,
  { days, organizationIds }: { days: readonly string[]; organizationIds: readonly string[] },
): Promise<void> {
  const changed = organizationIds.length === 0 ? [] : await deriveActivations(tx, organizationIds)
  const registeredOn = [...new Set([...changed, ...(await noteVerified(tx))])]
  await sumOverOrganizations(tx, { days, registeredOn })
}
