import type { Finding } from '#contract/superadmin-doctor.ts'
import { loadConfig } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import type { SettingSources } from '#server/shown-settings.ts'
import type { Examined } from './check.ts'
import { checks } from './checks.ts'
import { type Machine, thisMachine } from './machine.ts'
import { runCheck } from './run-doctor.ts'

/** What a test breaks. */
export interface Sickness extends Partial<Omit<Examined, 'config' | 'machine'>> {
  readonly env?: Readonly<Record<string, string>>
  readonly sources?: SettingSources
  readonly machine?: Partial<Machine>
}

/** Runs one check on an instance with these settings. */
export function examine(
  id: string,
  sickness: Sickness & { dataDir: string; database?: Database | null },
): Promise<Finding> {
  const { env = {}, sources = {}, machine = {}, dataDir, ...rest } = sickness
  const check = checks.find((each) => each.id === id)
  if (!check) throw new Error(`there is no check ${id}`)
  const config = loadConfig({ DATA_DIR: dataDir, ...env }, sources)
  return runCheck(check, {
    config,
    storage: openStorage(config),
    machine: { ...thisMachine, ...machine },
    database: null,
    databaseProblem: null,
    replica: null,
    seen: null,
    envFile: `${dataDir}/.env`,
    ...rest,
  })
}
