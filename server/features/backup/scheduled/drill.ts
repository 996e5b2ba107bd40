import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { S3Settings } from '#server/platform/storage/s3-bucket.ts'
import { BackupError } from '../backup-error.ts'
import { listArchives } from '../places/kept-archives.ts'
import { openSource } from '../places/open-source.ts'
import { type Restored, restore } from '../restore.ts'
import { connectAsOwner } from '../rows/owner-connection.ts'

const prefix = 'earshot_drill_'

/**
 * Restores the newest archive of a folder into a scratch database beside the instance's, and compares all of it. Files are
 * read and compared, and not stored.
 *
 * @throws BackupError when there is no archive, or it can't be restored.
 */
export async function drill(options: {
  readonly ownerUrl: string
  readonly folder: string
  readonly s3: S3Settings | null
  readonly passphrase: string | null
}): Promise<{ location: string; restored: Restored }> {
  const { ownerUrl, folder, s3, passphrase } = options
  const [location] = await listArchives(folder, s3)
  if (location === undefined) throw new BackupError(`There is no backup in ${folder}.`)
  const client = await connectAsOwner(ownerUrl)
  try {
    await dropAbandoned(client)
    const name = prefix + randomUUID().replaceAll('-', '')
    await create(client, name)
    try {
      const url = new URL(ownerUrl)
      url.pathname = `/${name}`
      const source = await openSource(location, { s3, stdin: process.stdin })
      const log = { info: () => {}, warn: () => {} }
      const restored = await restore(source, { url: url.href, storage: null, dataDir: null, passphrase, log })
      return { location, restored }
    } finally {
      await drop(client, name)
    }
  } finally {
    await client.end().catch(() => {})
  }
}

async function create(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error
    throw new BackupError(
      'The login of the database may not create a scratch database. As a superuser, run: alter role … createdb; or set DATABASE_MIGRATION_URL to a login that may.',
    )
  }
}

/** Scratch databases of drills that were killed. One that is in use stays. */
async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select d.datname as name from pg_database d
     where starts_with(d.datname, $1) and pg_has_role(d.datdba, 'member')
       and not exists (select from pg_stat_activity a where a.datid = d.oid)`,
    [prefix],
  )
  for (const { name } of rows) await drop(client, name)
}

function drop(client: pg.Client, name: string) {
  return client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}
