import type pg from 'pg'
import { setSubscription } from '#server/features/billing/billing.service.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import type { TestServer } from './server.ts'

/** Gives an organisation a plan by its key, as a payment does. */
export async function subscribe(
  { databaseUrl, client }: Pick<TestServer, 'databaseUrl' | 'client'>,
  organizationId: string,
  key: string,
): Promise<void> {
  const planId = await findPlanId(client, key)
  const database = openDatabase({ url: databaseUrl, log: createLog({ level: 'silent' }), maxConnections: 1 })
  try {
    await database.asSystem('an organisation subscribes', (tx) =>
      setSubscription(tx, organizationId, { status: 'active', planId, trialEndsAt: null }),
    )
  } finally {
    await database.close()
  }
}

/** Ends a trial by the clock, without the job that notes it. */
export async function endTrial(client: pg.Client, organizationId: string): Promise<void> {
  await client.query(`update organizations set trial_ends_at = now() - interval '1 minute' where id = $1`, [
    organizationId,
  ])
}

async function findPlanId(client: pg.Client, key: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select id from plans where key = $1', [key])
  if (!rows[0]) throw new Error(`there is no plan ${key}`)
  return rows[0].id
}
