import pg from 'pg'

const everyMs = 5_000

/**
 * Tells every few seconds how long a file has been running on a connection, and how far an index is built. Asks nothing
 * about a file that ends before.
 */
export function watchMigration(
  client: pg.Client,
  url: string,
  tell: (seconds: number, detail: string) => void,
): { stop(): Promise<void> } {
  // Known to the driver since it connected.
  const pid = (client as pg.Client & { processID: number | null }).processID
  const startedAt = performance.now()
  let isOver = false
  let asking: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    asking = asking.then(async () => {
      const detail = await describeWork(url, pid).catch(() => '')
      if (!isOver) tell(Math.round((performance.now() - startedAt) / 1000), detail)
    })
  }, everyMs)
  timer.unref()
  return {
    stop: async () => {
      isOver = true
      clearInterval(timer)
      await asking
    },
  }
}

async function describeWork(url: string, pid: number | null): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'earshot migrate',
    connectionTimeoutMillis: 2_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ table: string; phase: string; done: string; total: string }>(
      `select relid::regclass::text as table, phase, blocks_done::text as done, nullif(blocks_total, 0)::text as total
       from pg_stat_progress_create_index where pid = $1`,
      [pid],
    )
    const [index] = rows
    if (!index) return ''
    const share = index.total === null ? '' : `, ${Math.floor((100 * Number(index.done)) / Number(index.total))} %`
    return `index of ${index.table}: ${index.phase}${share}`
  } finally {
    await client.end().catch(() => {})
  }
}
