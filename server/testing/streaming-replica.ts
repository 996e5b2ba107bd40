import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'

/** Two PostgreSQL servers of a test's own: an empty primary and its streaming replica. */
export interface ReplicatedPostgres {
  /** As superuser; so is `replicaUrl`. */
  readonly primaryUrl: string
  readonly replicaUrl: string
  stop(): Promise<void>
}

/** The replica begins as a copy of the stopped primary, so that no backup is needed. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-replica-'))
  // Started by root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o755)
  const [primaryDir, replicaDir] = [join(folder, 'primary'), join(folder, 'replica')]
  mkdirSync(primaryDir)
  await (await startEmbeddedPostgres(primaryDir)).stop()
  appendFileSync(join(primaryDir, 'postgres', 'pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n')
  execFileSync('cp', ['-a', primaryDir, replicaDir])
  writeFileSync(join(replicaDir, 'postgres', 'standby.signal'), '')
  const primary = await startEmbeddedPostgres(primaryDir)
  const { hostname, port, username, password } = new URL(primary.url)
  const replica = await startEmbeddedPostgres(replicaDir, {
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
  })
  return {
    primaryUrl: primary.url,
    replicaUrl: replica.url,
    stop: async () => {
      await replica.stop()
      await primary.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
