import { parseArgs } from 'node:util'
import type { Config } from '#server/config.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { insertRun } from '../backup-runs.queries.ts'
import { floorBytes } from '../floor-bytes.ts'
import { type MadeBackup, makeBackup } from '../make-backup.ts'
import { openPlace } from '../places/open-place.ts'
import { formatBytes, showProgress } from './progress.ts'
import { reachInstance } from './reach-instance.ts'
import { readPassphrase } from './read-passphrase.ts'
import { type CommandSurroundings, runCommand, UsageError } from './run-command.ts'

const help = `Writes a backup of the whole instance into one file, while Earshot runs or is stopped.

Usage: npm run backup -- [options]

  --to <place>              a file, a folder, s3://bucket/key, s3://bucket/folder/, or - for standard output.
                            Default: BACKUP_TO, or else the folder backups in DATA_DIR.
  --passphrase-file <file>  encrypts the secrets with the passphrase in this file. Default: BACKUP_PASSPHRASE.
                            Without a passphrase, the archive has no secrets.
  --quiet                   no progress.
  --help                    this text.

Exit codes: 0 made and verified; 1 not made; 2 wrong arguments or settings.
`

/** `npm run backup`. @returns the exit code. */
export function runBackupCommand(surroundings: CommandSurroundings): Promise<number> {
  return runCommand(surroundings, help, async (config) => {
    const { to, 'passphrase-file': file, quiet } = readOptions(surroundings.args)
    const passphrase = await readPassphrase(file, config)
    const instance = await reachInstance(config)
    const progress = showProgress(quiet ? undefined : surroundings.stderr)
    const startedAt = new Date()
    const place = to ?? config.backup.to
    try {
      const made = await makeBackup({
        url: instance.url,
        storage: openStorage(config),
        dataDir: config.dataDir,
        appVersion: config.appVersion,
        passphrase,
        openTarget: (estimatedBytes, createdAt) =>
          openPlace(place, {
            s3: config.s3,
            estimatedBytes,
            floorBytes: floorBytes(config),
            createdAt,
            stdout: surroundings.stdout,
          }),
        onProgress: ({ step, bytes, expectedBytes }) =>
          progress(step === 'write' ? 'Writing' : 'Verifying', bytes, expectedBytes),
      })
      await note(instance.url, made, startedAt)
      const output = place === '-' ? surroundings.stderr : surroundings.stdout
      output.write(formatReport(made, passphrase !== null, config))
    } finally {
      await instance.stop()
    }
  })
}

/** The doctor asks when the last backup was made. */
async function note(url: string, { location, bytes, manifest }: MadeBackup, startedAt: Date): Promise<void> {
  const database = openDatabase({ url, log: createLog({ level: 'silent' }), maxConnections: 1 })
  try {
    await database.asSystem('a backup was made by the command', (tx) =>
      insertRun(tx, {
        kind: 'backup',
        isScheduled: false,
        startedAt,
        location,
        bytes,
        rowCount: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
        fileCount: manifest.files.count,
        problem: null,
      }),
    )
  } finally {
    await database.close()
  }
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        to: { type: 'string' },
        'passphrase-file': { type: 'string' },
        quiet: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(`${readErrorMessage(error).split('.')[0]}. See --help.`)
  }
}

function formatReport(
  { location, bytes, manifest, hasSecrets }: MadeBackup,
  hasPassphrase: boolean,
  config: Config,
): string {
  const { tables, files } = manifest
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const lines = [
    `Backup made: ${location} (${formatBytes(bytes)}; ${rows} rows, ${files.count} files). ${
      location === 'standard output' ? 'It was not read again.' : 'All of it was read again and is as it was written.'
    }`,
  ]
  if (hasSecrets)
    lines.push('The secrets are in it, encrypted with the passphrase. Without the passphrase they are lost.')
  else if (!hasPassphrase) {
    lines.push(
      `The secrets are NOT in it, because no passphrase was given: keep copies of instance-secret and auth-keys.json in ${config.dataDir}, or of the settings that replace them.`,
    )
  }
  if (config.instanceSecret !== null || config.auth.jwtKeys !== null || config.auth.jwtSecret !== null) {
    lines.push('Secrets that are settings are not in it: keep a copy of your settings.')
  }
  if (files.missing > 0) {
    lines.push(`${files.missing} files were missing in the storage already, such as ${files.missingKeys[0]}.`)
  }
  return `${lines.join('\n')}\n`
}
