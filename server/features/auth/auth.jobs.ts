import type { AuthTx, Database } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import * as queries from './prune.queries.ts'

/**
 * Prunes leftovers of sign-ins. Accounts are never deleted here, confirmed or not.
 *
 * @param options.auditLogDays retention of the audit log, in days.
 */
export function createAuthJobs({ database, auditLogDays }: { database: Database; auditLogDays: number }): Job[] {
  const deleteAll = (deleteBatch: (tx: AuthTx, limit: number) => Promise<number>) =>
    deleteInBatches((limit) => database.asAuthAdmin('pruning', (tx) => deleteBatch(tx, limit)))

  return [
    defineCron('prune_auth', { at: '40 3 * * *', catchUpHours: 24 }, async () => {
      await deleteAll(queries.deleteOldFlows)
      await deleteAll(queries.deleteDeadSecrets)
      await deleteAll(queries.deleteRevokedTokens)
      await deleteAll(queries.deleteEndedSessions)
      await deleteAll((tx, limit) => queries.deleteOldAuditEntries(tx, { days: auditLogDays, limit }))
    }),
  ]
}
