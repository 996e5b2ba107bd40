import type { Check } from './check.ts'
import { addressChecks } from './checks/address.ts'
import { backupChecks } from './checks/backups.ts'
import { databaseChecks } from './checks/database.ts'
import { databaseUpkeepChecks } from './checks/database-upkeep.ts'
import { fileChecks } from './checks/files.ts'
import { integrationChecks } from './checks/integrations.ts'
import { jobChecks } from './checks/jobs.ts'
import { logChecks } from './checks/logs.ts'
import { machineChecks } from './checks/machine.ts'
import { machinesChecks } from './checks/machines.ts'
import { mailChecks } from './checks/mail.ts'
import { paymentChecks } from './checks/payments.ts'
import { proxyChecks } from './checks/proxy.ts'
import { publicPageChecks } from './checks/public-pages.ts'
import { replicaChecks } from './checks/replica.ts'
import { securityChecks } from './checks/security.ts'
import { signInChecks } from './checks/sign-in.ts'

/** Every check, in the order in which findings are listed. A new one is a line in its theme's file. */
export const checks: readonly Check[] = [
  ...addressChecks,
  ...proxyChecks,
  ...securityChecks,
  ...machineChecks,
  ...machinesChecks,
  ...databaseChecks,
  ...databaseUpkeepChecks,
  ...replicaChecks,
  ...jobChecks,
  ...logChecks,
  ...mailChecks,
  ...fileChecks,
  ...backupChecks,
  ...signInChecks,
  ...paymentChecks,
  ...integrationChecks,
  ...publicPageChecks,
]
