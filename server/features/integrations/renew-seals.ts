import type { Database } from '#server/platform/database/database.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import type { Log } from '#server/platform/log/log.ts'
import { SealError, type Seals } from '#server/platform/secret/seals.ts'
import { listSealed, type SealedIntegration, storeRenewed } from './integrations.queries.ts'
import { openSecrets, sealSecrets } from './secrets.ts'

export interface RenewParts {
  readonly database: Database
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly seals: Seals
}

const pageSize = 200
const reason = 'credentials of every organisation are encrypted with the new secret'

/** After a change of the instance's secret, encrypts credentials again, so that the previous secret can be removed. */
export function createRenewJob({ database, log, seals }: RenewParts): Job {
  return defineCron('renew_seals', { at: '50 * * * *', catchUpHours: 1 }, async () => {
    if (!seals.hasPrevious) return
    let renewed = 0
    let closed = 0
    for (let last: SealedIntegration | undefined, page: SealedIntegration[] = []; ; last = page.at(-1)) {
      page = await database.asSystem(reason, (tx) => listSealed(tx, last, pageSize))
      for (const row of page.filter(({ secrets }) => !seals.isCurrent(secrets))) {
        const sealed = sealAgain(seals, row)
        if (sealed === undefined) closed += 1
        else renewed += Number(await database.asSystem(reason, (tx) => storeRenewed(tx, row, sealed)))
      }
      if (page.length < pageSize) break
    }
    if (closed > 0) log.warn({ closed }, 'credentials of integrations are encrypted with an unknown secret')
    log.info({ renewed }, 'all other credentials of integrations are encrypted with the current secret')
  })
}

/** Undefined: an unknown secret sealed it. Owners see that the integration must be connected again. */
function sealAgain(seals: Seals, row: SealedIntegration): string | undefined {
  try {
    return sealSecrets(seals, row, openSecrets(seals, row, row.secrets))
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}
