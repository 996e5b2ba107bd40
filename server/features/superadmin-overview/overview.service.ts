import { statfs } from 'node:fs/promises'
import { type AttentionKind, attentionKinds, lowDiskShare, type Overview } from '#contract/superadmin-overview.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Checks, runChecks } from '#server/platform/health/run-checks.ts'
import type { Log } from '#server/platform/log/log.ts'
import { countTroubles, type GrowthDay, listGrowth, readWork } from './overview.queries.ts'

const reason = 'superadmins read the state of the instance'
const growthDays = 30
/** Far below what a load balancer waits: the rest of the answer is worth more than a slow check. */
const checkTimeoutMs = 1_500

export interface OverviewParts {
  readonly database: Database
  readonly dataDir: string
  readonly log: Log
  readonly checks: Checks
}

/** The state of the instance, in one answer: what it says costs the same however many organisations there are. */
export function createOverviewReader({ database, dataDir, log, checks }: OverviewParts): () => Promise<Overview> {
  return async () => {
    const [readiness, disk, stored] = await Promise.all([
      runChecks(checks, checkTimeoutMs, log),
      readDisk(dataDir),
      database.asSystem(reason, async (tx) => ({
        work: await readWork(tx),
        troubles: await countTroubles(tx),
        growth: await listGrowth(tx, 2 * growthDays),
      })),
    ])
    const { work, troubles } = stored
    const counts: Readonly<Record<AttentionKind, number>> = {
      ...troubles,
      disk_low: disk.freeBytes < disk.totalBytes * lowDiskShare ? 1 : 0,
      jobs_failed: work.jobsFailed,
      emails_failed: work.emailsFailed,
    }
    return {
      health: {
        checks: Object.entries(readiness.results).map(([name, result]) => ({ name, result })),
        workers: { running: work.workers, lastSeenAt: toIso(work.workerSeenAt) },
        mail: {
          waiting: work.emailsWaiting,
          oldestWaitingAt: toIso(work.oldestEmailAt),
          failed: work.emailsFailed,
        },
        queue: { waiting: work.jobsWaiting, oldestDueAt: toIso(work.oldestJobAt), failed: work.jobsFailed },
        disk,
      },
      attention: attentionKinds.flatMap((kind) => (counts[kind] > 0 ? [{ kind, count: counts[kind] }] : [])),
      growth: describeGrowth(stored.growth),
    }
  }
}

const toIso = (at: Date | null) => at?.toISOString() ?? null

async function readDisk(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

function describeGrowth(days: readonly GrowthDay[]): Overview['growth'] {
  const [before, now] = [days.slice(0, growthDays), days.slice(growthDays)]
  const sum = (part: readonly GrowthDay[], read: (day: GrowthDay) => number) =>
    part.reduce((total, day) => total + read(day), 0)
  const course = (read: (day: GrowthDay) => number, divisor = 1) => ({
    total: Math.round(sum(now, read) / divisor),
    previousTotal: Math.round(sum(before, read) / divisor),
    perDay: now.map(read),
  })
  return {
    days: now.map(({ day }) => day),
    organizations: course(({ organizations }) => organizations),
    active: course(({ active }) => active, growthDays),
    items: course(({ items }) => items),
    loads: course(({ loads }) => loads),
    mrr: {
      cents: now.at(-1)?.mrrCents ?? 0,
      previousCents: before.at(-1)?.mrrCents ?? 0,
      perDay: now.map(({ mrrCents }) => mrrCents),
    },
  }
}
