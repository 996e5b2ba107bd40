import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createTestDatabase } from './database.ts'
import { startTestServer, type TestServer } from './server.ts'

const program = resolve(import.meta.dirname, '../../cli/earshot.ts')

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Who runs an instance, at its command line. */
export interface Operator {
  readonly server: TestServer
  /** URL of the instance's database. */
  readonly databaseUrl: string
  /** Their data folder, which the instance doesn't use. */
  readonly folder: string
  /** Runs the command with these settings. */
  run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended>
  stop(): Promise<void>
}

/** @param command such as `doctor` */
export async function openOperator(command: string): Promise<Operator> {
  const folder = await mkdtemp(join(tmpdir(), `earshot-${command}-`))
  const urls = await createTestDatabase()
  const server = await startTestServer({}, urls)
  return {
    server,
    databaseUrl: urls.appUrl,
    folder,
    run: (args, env) =>
      new Promise((end) => {
        execFile(
          process.execPath,
          [program, command, ...args],
          { cwd: folder, env: { PATH: process.env.PATH, NODE_ENV: 'development', DATA_DIR: folder, ...env } },
          (error, stdout, stderr) => end({ code: Number(error?.code ?? 0), stdout, stderr }),
        )
      }),
    stop: async () => {
      await server.stop()
      await urls.drop()
      await rm(folder, { recursive: true })
    },
  }
}
