/*
 * Upgrades that are killed at a random moment: of instances at the first schema, and of data folders of PostgreSQL 17, whose
 * programs npm fetches. Run: npm run bench -- upgrade-kills; BENCH_ROUNDS upgrades (default 20), half as many of PostgreSQL.
 */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { migrate } from '#server/platform/database/migrate.ts'
import { readState } from '#server/platform/database/migration-state.ts'
import { type Binaries, findBinaries } from '#server/platform/embedded-postgres/binaries.ts'
import { readClusterMajor } from '#server/platform/embedded-postgres/cluster.ts'
import { hasCluster } from '#server/platform/embedded-postgres/exchange-cluster.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'
import { createDiskStorage } from '#server/platform/storage/disk-storage.ts'
import { hashItems } from '#server/testing/compare-items.ts'
import { fillFirstSchema, makeFirstSchema } from '#server/testing/first-schema.ts'
import { createRandom, fillRandomly, hashRows } from '#server/testing/random-instance.ts'
import { cloneDatabase, createEmptyDatabase } from '#server/testing/template-database.ts'
import { startThrowawayPostgres } from '#server/testing/throwaway-postgres.ts'
import { fetchPostgres } from '../cli/upgrade/fetch-postgres.ts'
import { runCommand } from './harness/run-command.ts'
import { printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
const items = Number(process.env.BENCH_ITEMS ?? 3_000)
const random = createRandom(Number(process.env.BENCH_SEED ?? 1))
const mostKills = 3
/** The upgrade notes its backup. */
const ownRows = { 'app.backup_runs': '' }
const folder = await mkdtemp(join(tmpdir(), 'earshot-upgrade-kills-'))
await chmod(folder, 0o755)

interface Counts {
  upgrades: number
  kills: number
  completed: number
  equal: number
  halfMigrations: number
}
const makeCounts = (): Counts => ({ upgrades: 0, kills: 0, completed: 0, equal: 0, halfMigrations: 0 })

try {
  const migrations = await killMigrations()
  const clusters = await killClusters()
  process.stdout.write('\nTarget: each upgrade completes after its kills, and every row is as it was.\n\n')
  printTable(
    ['', 'upgrades', 'kills', 'completed', 'equal', 'half a migration'],
    [
      ['from the first schema', ...Object.values(migrations).map(String)],
      ['from PostgreSQL 17', ...Object.values(clusters).map(String)],
    ],
  )
} finally {
  await rm(folder, { recursive: true })
}

async function killMigrations(): Promise<Counts> {
  const counts = makeCounts()
  const server = await startThrowawayPostgres()
  try {
    const first = await createEmptyDatabase(server.url)
    await makeFirstSchema(first.url)
    const wanted = await using(first.url, async (client) => {
      await fillFirstSchema(client, items)
      return hashItems(client)
    })
    const template = new URL(first.url).pathname.slice(1)
    const wholeMs = await measureWhole(server.url, template)
    process.stdout.write(`An upgrade without kills: ${(wholeMs / 1000).toFixed(1)} s\n`)
    for (let round = 0; round < rounds; round += 1) {
      const database = await cloneDatabase(server.url, template, server.url)
      const dataDir = await mkdtemp(join(folder, 'data-'))
      const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, UPGRADE_BACKUP: 'on' }
      counts.upgrades += 1
      for (let i = 0; i < mostKills; i += 1) {
        const { code } = await runCommand(['upgrade'], env, 300 + random() * wholeMs)
        if (code !== null) break
        counts.kills += 1
        const state = await using(database.url, readState)
        if (state?.migrations.some(({ finishedAt }) => finishedAt === null)) counts.halfMigrations += 1
      }
      if (await completes(env)) counts.completed += 1
      if (isDeepStrictEqual(await using(database.url, hashItems), wanted)) counts.equal += 1
      await database.drop()
      await rm(dataDir, { recursive: true })
      process.stdout.write(`${JSON.stringify(counts)}\n`)
    }
  } finally {
    await server.stop()
  }
  return counts
}

/** How long it takes when nothing kills it: kills are spread over that time. */
async function measureWhole(serverUrl: string, template: string): Promise<number> {
  const database = await cloneDatabase(serverUrl, template, serverUrl)
  const dataDir = await mkdtemp(join(folder, 'data-'))
  const { ms } = await runCommand(['upgrade'], { DATABASE_URL: database.url, DATA_DIR: dataDir, UPGRADE_BACKUP: 'on' })
  await database.drop()
  await rm(dataDir, { recursive: true })
  return ms
}

async function killClusters(): Promise<Counts> {
  const counts = makeCounts()
  const programs = join(folder, 'programs')
  const old = await fetchPostgres(17, programs)
  for (let round = 0; round < rounds / 2; round += 1) {
    const dataDir = await mkdtemp(join(folder, 'cluster-'))
    const wanted = await makeOldInstance(dataDir, old, round)
    counts.upgrades += 1
    const args = ['upgrade', '--postgres-programs', old.folder]
    for (let i = 0; i < mostKills; i += 1) {
      const { code } = await runCommand(args, { DATA_DIR: dataDir }, 500 + random() * 9_000)
      if (code !== null) break
      counts.kills += 1
      if (!hasCluster(dataDir)) counts.halfMigrations += 1
    }
    if (await completes({ DATA_DIR: dataDir }, args)) counts.completed += 1
    const isNew = readClusterMajor(join(dataDir, 'postgres')) === findBinaries().major
    const isOldKept = (await readdir(dataDir)).includes('postgres-17-old')
    const postgres = await startEmbeddedPostgres(dataDir)
    const found = await using(postgres.url, hashRows)
    await postgres.stop()
    if (isNew && isOldKept && isDeepStrictEqual({ ...found, ...ownRows }, { ...wanted, ...ownRows })) counts.equal += 1
    await rm(dataDir, { recursive: true })
    process.stdout.write(`PostgreSQL: ${JSON.stringify(counts)}\n`)
  }
  return counts
}

async function makeOldInstance(dataDir: string, binaries: Binaries, seed: number): Promise<Record<string, string>> {
  await chmod(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres(dataDir, {}, undefined, binaries)
  await migrate({ url: postgres.url, log: { info: () => {}, warn: () => {} } })
  const rows = await using(postgres.url, async (client) => {
    await fillRandomly(client, createDiskStorage(join(dataDir, 'files')), seed)
    return hashRows(client)
  })
  await postgres.stop()
  return rows
}

/** A session of a killed process may live for a moment. */
async function completes(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = ['upgrade'],
): Promise<boolean> {
  for (let tries = 0; tries < 5; tries += 1) {
    const { code, output } = await runCommand(args, env)
    if (code === 0) return true
    process.stderr.write(output)
  }
  return false
}

async function using<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return use(client).finally(() => client.end())
}
