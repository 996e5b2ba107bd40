import { createEventJobs } from './platform/events/events.jobs.ts'
import type { Feature } from './platform/feature.ts'
import type { Job, WorkerPool } from './platform/jobs/job.ts'
import { freePredecessors } from './platform/jobs/other-workers.queries.ts'
import { startPausableWorker } from './platform/jobs/pausable-worker.ts'
import { startWorker, type Worker } from './platform/jobs/worker.ts'
import type { Platform } from './platform/platform.ts'

/**
 * Runs the jobs of all features: each pool has workers of its own, so that none waits for another's jobs.
 *
 * @param keeperId what started this process, and starts it again when it ends; null: nothing does.
 */
export async function startWorkers(
  { config, database, dispatch, log, readOnly, yielding }: Platform,
  features: readonly Feature[],
  keeperId: string | null,
): Promise<Worker> {
  const concurrency: Readonly<Record<WorkerPool, number>> = {
    short: 5,
    media: config.media.jobs,
    transfer: 2,
    yielding: 1,
  }
  const jobs = Map.groupBy<WorkerPool, Job>(
    [
      ...createEventJobs({ database, log, subscribers: features.flatMap((feature) => feature.subscribers ?? []) }),
      ...features.flatMap((feature) => feature.jobs?.() ?? []),
    ],
    (job) => job.pool ?? 'short',
  )
  const pools: Worker[] = []
  const stop = async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.stop()))
  }
  try {
    await yielding.listen()
    if (keeperId !== null) await freePredecessors(database, keeperId)
    for (const [pool, own] of jobs) {
      // It listens, and its statements are prepared.
      const url = config.databaseDirectUrl ?? config.databaseUrl
      const start = (chosen: readonly Job[]) =>
        startWorker({ url, log, jobs: chosen, concurrency: concurrency[pool], keeperId })
      pools.push(await startPausableWorker({ jobs: own, start, readOnly, log }))
    }
    // Events of processes that died before they asked for their dispatch.
    dispatch.request()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    check: async () => {
      await Promise.all(pools.map((pool) => pool.check()))
    },
    stop,
  }
}
