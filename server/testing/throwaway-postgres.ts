import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'

/** The product's own PostgreSQL in a temporary folder, deleted when stopped. */
export interface ThrowawayPostgres {
  /** Address of one of its databases, empty, as superuser. */
  readonly url: string
  stop(): Promise<void>
}

const folderPrefix = 'earshot-test-'

/** Starts PostgreSQL for a run of tests. Durability is as in production: a test may rely on it. */
export async function startThrowawayPostgres(): Promise<ThrowawayPostgres> {
  await removeAbandoned()
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  // Started by root, PostgreSQL runs as another user, who must be able to enter.
  await chmod(folder, 0o755)
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  try {
    const server = await startEmbeddedPostgres(folder, { max_connections: '300' })
    const killAtExit = () => server.kill()
    process.once('exit', killAtExit)
    return {
      url: server.url,
      stop: async () => {
        process.off('exit', killAtExit)
        await server.stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Stops and deletes what killed runs have left behind. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(folderPrefix) ? Number(name.slice(folderPrefix.length).split('-')[0]) : Number.NaN
    if (Number.isNaN(owner) || isRunning(owner)) continue
    const folder = join(tmpdir(), name)
    const pidFile = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
    const postmaster = Number(pidFile.split('\n')[0])
    if (postmaster > 0 && isRunning(postmaster)) {
      // The process id may belong to another program by now. If that is unknown, the process is left alone.
      const command = await readFile(`/proc/${postmaster}/cmdline`, 'utf8').catch(() => '')
      if (!command.includes(folder)) continue
      process.kill(postmaster, 'SIGQUIT')
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
