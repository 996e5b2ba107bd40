import { runOnce } from 'graphile-worker'
import pg from 'pg'
import { createNotificationSubscribers } from '#server/features/notifications/notifications.subscribers.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createEventJobs } from '#server/platform/events/events.jobs.ts'
import { createLog } from '#server/platform/log/log.ts'
import type { TestServer } from './server.ts'

/** Runs the notification subscribers of all events so far, for a server without a worker. */
export async function deliverNotifications({ databaseUrl }: Pick<TestServer, 'databaseUrl'>): Promise<void> {
  const log = createLog({ level: 'silent' })
  const database = openDatabase({ url: databaseUrl, log, maxConnections: 2 })
  const pgPool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  try {
    const jobs = createEventJobs({ database, log, subscribers: createNotificationSubscribers(database) })
    const taskList = Object.fromEntries(jobs.map((job) => [job.name, (payload: unknown) => job.run(payload)]))
    // Ingest asks for it a moment after its commit.
    await pgPool.query("select app.enqueue_job('dispatch_events', '{}')")
    await runOnce({ pgPool, taskList })
  } finally {
    await pgPool.end()
    await database.close()
  }
}
