/*
 * A backup while visitors send: MB/s of rows and files beside the disk's rate, and the latency of submissions beside that
 * without a backup. Run: npm run bench -- backup; sizes by BENCH_ITEMS and BENCH_FILE_MB.
 */
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readArchive } from '#server/features/backup/archive/read-archive.ts'
import { createDiskStorage } from '#server/platform/storage/disk-storage.ts'
import { createProject } from '#server/testing/builders.ts'
import { fillInbox } from './harness/fill-inbox.ts'
import { runSenders } from './harness/run-senders.ts'
import { startBenchServer } from './harness/server.ts'
import { printTable } from './harness/table.ts'
import { makeTenant } from './harness/tenant.ts'

const items = Number(process.env.BENCH_ITEMS ?? 50_000)
const fileMegabytes = Number(process.env.BENCH_FILE_MB ?? 200)
const measureMs = Number(process.env.BENCH_SECONDS ?? 15) * 1000
const perSecond = 100
const mebibyte = 1024 ** 2
const program = join(import.meta.dirname, '../cli/earshot.ts')
const run = promisify(execFile)

const server = await startBenchServer({}, 'backup')
try {
  const dataDir = join(server.dataDir, 'server')
  const vault = join(server.dataDir, 'vault')
  const tenant = await makeTenant(server, async (made) => {
    await fillInbox(server.sql, made, items)
    await addFiles(made.organizationId, made.projectIds[0] ?? '', join(dataDir, 'files'))
  })
  const { widgetKey, domain } = await createProject(server.sql, { organizationId: tenant.organizationId })
  const back = async () => {
    const startedAt = performance.now()
    await run(process.execPath, [program, 'backup', '--quiet', '--to', `${vault}/`], {
      env: { ...process.env, DATABASE_URL: server.databaseUrl, DATA_DIR: dataDir },
    })
    return (performance.now() - startedAt) / 1000
  }
  const send = () =>
    runSenders({
      port: server.port,
      widgetKey,
      origin: `https://${domain}`,
      connections: 64,
      perSecond,
      warmUpMs: 2_000,
      measureMs,
    })
  const seconds = await back()
  const [name = ''] = await readdir(vault)
  const path = join(vault, name)
  const archiveBytes = (await stat(path)).size
  const { tables, files } = await readArchive(createReadStream(path) as AsyncIterable<Buffer>, {
    onHeader: async () => {},
  })
  const contentBytes = files.bytes + tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const disk = await measureDisk(join(server.dataDir, 'disk'), archiveBytes)
  await rm(vault, { recursive: true })

  const alone = await send()
  let isSending = true
  const backups = (async () => {
    let made = 0
    while (isSending) {
      await back()
      await rm(vault, { recursive: true })
      made += 1
    }
    return made
  })()
  const beside = await send()
  isSending = false
  const made = await backups

  const rate = (bytes: number, time: number) => (bytes / 1e6 / time).toFixed(0)
  process.stdout.write(
    `\n${items} items, ${files.count} files. Target: 100 MB/s or the disk’s rate; p95 at most 1.2.\n\n`,
  )
  printTable(
    ['', 'MB', 's', 'MB/s'],
    [
      ['rows and files', rate(contentBytes, 1), seconds.toFixed(1), rate(contentBytes, seconds)],
      ['the archive', rate(archiveBytes, 1), seconds.toFixed(1), rate(archiveBytes, seconds)],
      ['disk: written, synced, read', rate(archiveBytes, 1), disk.toFixed(1), rate(archiveBytes, disk)],
    ],
  )
  process.stdout.write('\n')
  printTable(
    ['submissions', 'accepted', 'p50 ms', 'p95 ms', 'p95 ratio'],
    [
      ['alone', String(alone.accepted), alone.p50Ms.toFixed(1), alone.p95Ms.toFixed(1), ''],
      [
        `beside ${made} backups`,
        String(beside.accepted),
        beside.p50Ms.toFixed(1),
        beside.p95Ms.toFixed(1),
        (beside.p95Ms / alone.p95Ms).toFixed(2),
      ],
    ],
  )
} finally {
  await server.stop()
}

/** Files of 4 MiB that no compression makes smaller. */
async function addFiles(organizationId: string, projectId: string, folder: string): Promise<void> {
  const storage = createDiskStorage(folder)
  const bytes = 4 * mebibyte
  for (let i = 0; i < fileMegabytes / 4; i += 1) {
    const key = `${organizationId}/${randomUUID()}`
    const content = (async function* () {
      yield randomBytes(bytes)
    })()
    await storage.write(key, content, bytes)
    await server.sql.query(
      `insert into public.uploads (organization_id, id, project_id, state, kind, bytes, storage_key, completed_at)
       values ($1, $2, $3, 'ready', 'screen', $4, $5, now())`,
      [organizationId, randomUUID(), projectId, bytes, key],
    )
  }
}

/** Seconds to write so many bytes, sync and read them. */
async function measureDisk(path: string, bytes: number): Promise<number> {
  const block = randomBytes(mebibyte)
  const startedAt = performance.now()
  const handle = await open(path, 'w+')
  for (let done = 0; done < bytes; done += block.length) await handle.write(block, 0, block.length)
  await handle.sync()
  for (let at = 0; at < bytes; at += block.length) await handle.read(block, 0, block.length, at)
  await handle.close()
  const seconds = (performance.now() - startedAt) / 1000
  await rm(path)
  return seconds
}
