import type { DoctorReport, FindingStatus } from '#contract/superadmin-doctor.ts'
import { type Config, loadConfig } from '#server/config.ts'
import { thisMachine } from '#server/features/doctor/machine.ts'
import { runDoctor } from '#server/features/doctor/run-doctor.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { openReplica } from '#server/platform/database/replica.ts'
import { borrowPostgres } from '#server/platform/embedded-postgres/borrow-postgres.ts'
import { createLog } from '#server/platform/log/log.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { readEnvironment } from './launch/read-environment.ts'
import { readSettingSources } from './launch/setting-sources.ts'

const marks: Readonly<Record<FindingStatus, string>> = {
  failed: 'FAILED ',
  warning: 'WARNING',
  ok: 'ok     ',
  not_applicable: '-      ',
}

/**
 * Checks the instance whether it runs or not, and prints what is wrong and what to do. Exit code 0: all fine; 1: warnings;
 * 2: something does not work.
 */
export async function run({ json }: { readonly json?: string | boolean | undefined }): Promise<void> {
  try {
    const { env, defaults } = readEnvironment()
    const report = await examine(loadConfig({ ...defaults, ...env }, readSettingSources(env, defaults)))
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : format(report))
    const has = (status: FindingStatus) => report.findings.some((finding) => finding.status === status)
    process.exitCode = has('failed') ? 2 : has('warning') ? 1 : 0
  } catch (error) {
    // A setting that can't be read.
    process.stderr.write(`earshot: ${readErrorMessage(error)}\n`)
    process.exitCode = 2
  }
}

async function examine(config: Config): Promise<DoctorReport> {
  const storage = openStorage(config)
  const found = await findDatabase(config)
  const rest = { config, storage, machine: thisMachine, seen: null, envFile: '.env', replica: null }
  if ('problem' in found) return runDoctor({ ...rest, database: null, databaseProblem: found.problem })
  const log = createLog({ level: 'silent' })
  const database = openDatabase({ ...found.at, log, maxConnections: 5 })
  const replica = openReplica(config, log)
  try {
    const databaseProblem = await database.ping().then(() => null, readErrorMessage)
    return await runDoctor({ ...rest, replica, database: databaseProblem === null ? database : null, databaseProblem })
  } finally {
    await replica?.close()
    await database.close()
    await found.stop()
  }
}

type Found = { at: { url: string; directUrl?: string | null }; stop(): Promise<void> } | { problem: string }

/** The configured database, or the built-in one, which is started for the time of the checks unless Earshot runs. */
async function findDatabase({ databaseUrl, databaseDirectUrl, dataDir }: Config): Promise<Found> {
  if (databaseUrl !== null) return { at: { url: databaseUrl, directUrl: databaseDirectUrl }, stop: async () => {} }
  return borrowPostgres(dataDir).then(
    ({ url, stop }) => ({ at: { url }, stop }),
    (error: unknown) => ({ problem: readErrorMessage(error) }),
  )
}

function format({ findings }: DoctorReport): string {
  const lines = findings.flatMap(({ id, area, title, status, sentence, remedy }) => [
    `${marks[status]}  ${area}: ${title}. ${sentence}`,
    ...(remedy === null ? [] : [`         What to do: ${remedy} (${id})`]),
  ])
  const count = (status: FindingStatus) => findings.filter((finding) => finding.status === status).length
  return `${lines.join('\n')}\n\n${count('failed')} failed, ${count('warning')} warnings, ${count('ok')} ok, ${count('not_applicable')} not applicable\n`
}
