/*
 * Random instances, backed up and restored; backup or restore is killed at a random moment of each first attempt. Run:
 * npm run bench -- backup-kills; BENCH_ROUNDS instances (default 50).
 */
import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { readArchive } from '#server/features/backup/archive/read-archive.ts'
import { readState } from '#server/platform/database/migration-state.ts'
import { createDiskStorage } from '#server/platform/storage/disk-storage.ts'
import { createRandom, fillRandomly, hashFiles, hashRows } from '#server/testing/random-instance.ts'
import { cloneDatabase, createEmptyDatabase, createTemplateDatabase } from '#server/testing/template-database.ts'
import { startThrowawayPostgres } from '#server/testing/throwaway-postgres.ts'
import { printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 50)
const program = join(import.meta.dirname, '../cli/earshot.ts')
const random = createRandom(Number(process.env.BENCH_SEED ?? 1))
const counts = { equal: 0, killedBackups: 0, killedRestores: 0, looksWhole: 0, startsHalf: 0 }

const server = await startThrowawayPostgres()
const folder = await mkdtemp(join(tmpdir(), 'earshot-backup-kills-'))
try {
  const template = await createTemplateDatabase(server.url)
  for (let round = 0; round < rounds; round += 1) await tryOne(round, template)
} finally {
  await rm(folder, { recursive: true })
  await server.stop()
}
process.stdout.write(
  `\n${rounds} random instances. Target: all equal; no half archive or instance that looks whole.\n\n`,
)
printTable(Object.keys(counts), [Object.values(counts).map(String)])

async function tryOne(round: number, template: string): Promise<void> {
  const source = await cloneDatabase(server.url, template, server.url)
  const target = await createEmptyDatabase(server.url)
  const [from, to] = [join(folder, `${round}-from`), join(folder, `${round}-to`)]
  await mkdir(from)
  const client = await connect(source.url)
  await fillRandomly(client, createDiskStorage(join(from, 'files')), round)
  const sourceEnv = { DATABASE_URL: source.url, DATA_DIR: from }
  const targetEnv = { DATABASE_URL: target.url, DATA_DIR: to }
  const killed = await run('backup', ['--to', join(from, 'killed.tar')], sourceEnv, 100 + random() * 500)
  if (killed === null) counts.killedBackups += 1
  if ((await readdir(from)).includes('killed.tar')) {
    const content = createReadStream(join(from, 'killed.tar')) as AsyncIterable<Buffer>
    await readArchive(content, { onHeader: async () => {} }).catch(() => {
      counts.looksWhole += 1
    })
  }
  const archive = join(from, 'whole.tar')
  const [rows, files] = [await hashRows(client), await hashFiles(client, createDiskStorage(join(from, 'files')))]
  for (let tries = 0; (await run('backup', ['--to', archive], sourceEnv)) !== 0 && tries < 20; tries += 1);
  const ended = await run('restore', ['--from', archive], targetEnv, 200 + random() * 2_000)
  if (ended === null) {
    counts.killedRestores += 1
    const other = await connect(target.url)
    const state = await readState(other)
    // A start uses an unmarked database.
    if (state && !state.isHalfRestored && !isDeepStrictEqual(await hashRows(other), rows)) counts.startsHalf += 1
    await other.end()
    // A session of the killed process may live for a moment; a whole instance refuses to be restored again.
    for (let tries = 0; (await run('restore', ['--from', archive], targetEnv)) !== 0 && tries < 5; tries += 1);
  }
  const other = await connect(target.url)
  const restored = [await hashRows(other), await hashFiles(other, createDiskStorage(join(to, 'files')))]
  // The killed backup, if it was whole, is noted after the hashes were read.
  if (isDeepStrictEqual(restored, [rows, files])) counts.equal += 1
  await other.end()
  await client.end()
  await source.drop()
  await target.drop()
  await rm(from, { recursive: true })
  await rm(to, { recursive: true, force: true })
  process.stdout.write(`${JSON.stringify(counts)}\n`)
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // When a round fails, the server stops: that must not hide why.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** @returns the exit code; null: it was killed. */
function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  killAfterMs?: number,
): Promise<number | null> {
  const child = spawn(process.execPath, [program, command, '--quiet', ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  })
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  return new Promise((resolve) =>
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code)
    }),
  )
}
