import type { Finding } from '#contract/superadmin-doctor.ts'
import type { Config } from '#server/config.ts'
import { databaseChecks } from '#server/features/doctor/checks/database.ts'
import { databaseUpkeepChecks } from '#server/features/doctor/checks/database-upkeep.ts'
import { thisMachine } from '#server/features/doctor/machine.ts'
import { runCheck } from '#server/features/doctor/run-doctor.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'

/** The doctor's checks that say whether an upgrade is whole. Others look at settings, which it does not change. */
const wanted = new Set([
  'database-reachable',
  'database-version',
  'migrations',
  'database-functions',
  'job-queue-version',
  'extensions',
  'row-level-security',
  'invalid-indexes',
])

/** Runs the doctor's checks of the database. */
export async function verifyDatabase(config: Config, ownerUrl: string): Promise<Finding[]> {
  const database = openDatabase({ url: ownerUrl, log: createLog({ level: 'silent' }), maxConnections: 5 })
  try {
    const checks = [...databaseChecks, ...databaseUpkeepChecks].filter(({ id }) => wanted.has(id))
    const examined = {
      config,
      storage: openStorage(config),
      machine: thisMachine,
      database,
      replica: null,
      databaseProblem: null,
      seen: null,
      envFile: '.env',
    }
    return await Promise.all(checks.map((check) => runCheck(check, examined)))
  } finally {
    await database.close()
  }
}
