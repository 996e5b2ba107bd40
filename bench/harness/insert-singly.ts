import pg from 'pg'

/**
 * Replaces pgbench where it is not installed: as many connections, each inserting one prepared row after another.
 *
 * @returns rows per second.
 */
export async function insertSingly(task: {
  databaseUrl: string
  clients: number
  warmUpMs: number
  measureMs: number
  inserts: readonly string[]
}): Promise<number> {
  const clients = Array.from({ length: task.clients }, () => new pg.Client({ connectionString: task.databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  await clients[0]?.query('create sequence if not exists public.bench_number')
  const countFrom = performance.now() + task.warmUpMs
  const until = countFrom + task.measureMs
  let inserted = 0
  await Promise.all(
    clients.map(async (client, offset) => {
      for (let turn = offset; performance.now() < until; turn += 1) {
        const index = turn % task.inserts.length
        await client.query({ name: `insert ${index}`, text: task.inserts[index] ?? '' })
        const now = performance.now()
        if (now >= countFrom && now < until) inserted += 1
      }
    }),
  )
  await Promise.all(clients.map((client) => client.end()))
  return inserted / (task.measureMs / 1000)
}
