import { maxMessageLength } from '#contract/maintenance.ts'
import { loadConfig } from '#server/config.ts'
import { createMaintenance, type Maintenance } from '#server/features/superadmin-maintenance/maintenance.service.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { withOrigin } from '#server/platform/database/request-origin.ts'
import { borrowPostgres } from '#server/platform/embedded-postgres/borrow-postgres.ts'
import { createLog } from '#server/platform/log/log.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import type { ReadOnlyMode } from '#server/platform/read-only/read-only.queries.ts'
import type { Given } from './command.ts'
import { readEnvironment } from './launch/read-environment.ts'
import { nameCommand } from './name-command.ts'

/** An option that was typed wrong. */
class OptionError extends Error {}

const exitCodes = { failed: 1, option: 2, readOnly: 3 } as const
const operatorName = 'Command line'

/** Switches read-only mode, for nights when the web app is down. Running processes hear of it at once. */
export async function run(given: Given, action = 'status'): Promise<void> {
  try {
    const wanted = readWanted(given, action)
    const mode = await withMaintenance((maintenance) => act(maintenance, action, wanted))
    process.stdout.write(given.json === true ? `${JSON.stringify({ readOnly: mode ?? null })}\n` : format(mode, action))
    if (action === 'status' && mode) process.exitCode = exitCodes.readOnly
  } catch (error) {
    process.stderr.write(`earshot: ${readErrorMessage(error)}\n`)
    process.exitCode = error instanceof OptionError ? exitCodes.option : exitCodes.failed
  }
}

interface Wanted {
  readonly message: string | null
  readonly endsAt: string | null
}

function readWanted({ message, until }: Given, action: string): Wanted {
  if (action !== 'on' && (message !== undefined || until !== undefined))
    throw new OptionError(`--message and --until belong to ${nameCommand('maintenance', 'on')}.`)
  const text = typeof message === 'string' ? message.trim() : ''
  if ([...text].length > maxMessageLength)
    throw new OptionError(`--message must have at most ${maxMessageLength} characters.`)
  if (/\p{Cc}/u.test(text)) throw new OptionError('--message must be one line.')
  return { message: text === '' ? null : text, endsAt: typeof until === 'string' ? readEnd(until) : null }
}

/** @throws OptionError for what is no time, or a time in the past. */
function readEnd(text: string): string {
  const [, count, unit] = /^(\d{1,4})(m|h)$/.exec(text) ?? []
  // A date without a zone would be one of this machine, which is seldom that of the reader.
  const isZoned = /(Z|[+-]\d\d:?\d\d)$/.test(text)
  const time = count
    ? Date.now() + Number(count) * (unit === 'h' ? 3_600_000 : 60_000)
    : isZoned
      ? Date.parse(text)
      : Number.NaN
  if (!(time > Date.now()))
    throw new OptionError(
      '--until must be a time in the future with its zone, such as 2026-01-31T22:00Z, or 30m or 2h.',
    )
  return new Date(time).toISOString()
}

async function act(maintenance: Maintenance, action: string, wanted: Wanted): Promise<ReadOnlyMode | undefined> {
  if (action === 'on') return maintenance.turnOn({ name: operatorName }, wanted)
  if (action === 'off') {
    await maintenance.turnOff()
    return undefined
  }
  return maintenance.find()
}

/** Works on the configured database, or on the built-in one, which is started for the moment unless Earshot runs. */
async function withMaintenance<T>(work: (maintenance: Maintenance) => Promise<T>): Promise<T> {
  const { env, defaults } = readEnvironment()
  const { databaseUrl, databaseDirectUrl, dataDir } = loadConfig({ ...defaults, ...env })
  const { url, stop } =
    databaseUrl === null
      ? await borrowPostgres(dataDir)
      : { url: databaseDirectUrl ?? databaseUrl, stop: async () => {} }
  const database = openDatabase({ url, log: createLog({ level: 'silent' }), maxConnections: 1 })
  try {
    return await withOrigin({ kind: 'system', job: 'maintenance' }, () => work(createMaintenance(database)))
  } finally {
    await database.close()
    await stop()
  }
}

function format(mode: ReadOnlyMode | undefined, action: string): string {
  if (!mode) return action === 'off' ? 'Earshot takes writes again.\n' : 'Earshot takes writes.\n'
  const lines = [
    `Earshot is read-only since ${mode.since.toISOString()}, turned on by ${mode.turnedOnBy}.`,
    ...(mode.message === null ? [] : [`Message: ${mode.message}`]),
    ...(mode.endsAt === null ? [] : [`Expected end: ${mode.endsAt.toISOString()}. It does not end by itself.`]),
    `End it with: ${nameCommand('maintenance', 'off')}`,
  ]
  return `${lines.join('\n')}\n`
}
