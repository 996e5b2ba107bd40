import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

/** Ends a membership as an owner: there is no screen for it yet. */
export async function removeMember(email: string): Promise<void> {
  const dataDir = process.env.EARSHOT_DATA_DIR ?? ''
  const { password, port } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as {
    password: string
    port: number
  }
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'earshot' })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      'delete from memberships where user_id = (select id from auth.users where email = $1)',
      [email],
    )
    if (rowCount !== 1) throw new Error(`${rowCount} memberships of ${email}`)
  } finally {
    await client.end()
  }
}
