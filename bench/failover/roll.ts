import pg from 'pg'
import { createTraffic, startSteadyRequests } from '#server/testing/steady-requests.ts'
import type { RollingRestartResult } from '../faults/rolling-restart.ts'
import { startTopology } from './topology.ts'

const lanes = 8

/** All four processes of the topology stopped by SIGTERM and started in turn under load, so many times each. */
export async function rollTopology(
  rounds: number,
): Promise<RollingRestartResult & { readonly exits: readonly string[] }> {
  const topology = await startTopology()
  const client = new pg.Client({ connectionString: topology.superuserUrl })
  try {
    await client.connect()
    const { submissionIds, makeRequest } = await createTraffic(client, topology.url)
    const load = startSteadyRequests(topology.webPort, lanes, makeRequest)
    let slowestStopMs = 0
    for (let round = 0; round < rounds; round += 1) {
      for (const each of topology.processes.all) {
        slowestStopMs = Math.max(slowestStopMs, await topology.processes.restart(each))
      }
    }
    const { answered, failed } = await load.stop()
    const { rows } = await client.query<{ stored: number; rows: number }>(
      'select count(distinct id)::int as stored, count(*)::int as rows from public.feedback where id = any ($1)',
      [submissionIds],
    )
    const { stored = 0, rows: all = 0 } = rows[0] ?? {}
    const refused = Object.entries(failed).reduce((sum, [what, n]) => (what.startsWith('POST') ? sum + n : sum), 0)
    return {
      restarts: rounds * topology.processes.all.length,
      answered,
      failed,
      lost: Math.max(0, submissionIds.length - refused - stored),
      doubled: all - stored,
      slowestStopMs,
      exits: topology.processes.exits(),
    }
  } finally {
    await client.end()
    await topology.stop()
  }
}
