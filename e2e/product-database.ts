import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

/** Runs a statement in the product's database, for what no screen does. @returns how many rows it changed. */
export async function changeRows(statement: string, values: readonly unknown[]): Promise<number> {
  const dataDir = process.env.EARSHOT_DATA_DIR ?? ''
  const { password, port } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as {
    password: string
    port: number
  }
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'earshot' })
  await client.connect()
  try {
    const { rowCount } = await client.query(statement, [...values])
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}
