import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Fault } from './fault.ts'

/** Another program takes every connection that the server allows, those of the product too. */
export const connectionsExhausted: Fault = {
  name: 'connections exhausted',
  happen: async (stage, { holdMs }) => {
    const taken: pg.Client[] = []
    const until = performance.now() + holdMs
    try {
      await takeAll(stage.databaseUrl(), taken)
      await taken[0]?.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'earshot%'`,
      )
      while (performance.now() < until) {
        await takeAll(stage.databaseUrl(), taken)
        await pause(20)
      }
    } finally {
      await Promise.all(taken.map((client) => client.end().catch(() => {})))
    }
  },
}

/** Connects until the server refuses. */
async function takeAll(connectionString: string, taken: pg.Client[]): Promise<void> {
  for (;;) {
    const batch = Array.from({ length: 10 }, () => new pg.Client({ connectionString, application_name: 'greedy' }))
    const results = await Promise.allSettled(
      batch.map(async (client) => {
        client.on('error', () => {})
        await client.connect()
        taken.push(client)
      }),
    )
    if (results.some(({ status }) => status === 'rejected')) return
  }
}
