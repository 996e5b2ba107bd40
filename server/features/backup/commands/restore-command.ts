import { parseArgs } from 'node:util'
import { createLog } from '#server/platform/log/log.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { openSource } from '../places/open-source.ts'
import { type Restored, restore } from '../restore.ts'
import { formatBytes, showProgress } from './progress.ts'
import { reachEmptyInstance } from './reach-instance.ts'
import { readPassphrase } from './read-passphrase.ts'
import { type CommandSurroundings, runCommand, UsageError } from './run-command.ts'

const help = `Restores a backup into an empty instance, of the same version or a newer one. Earshot must not run there.

Usage: npm run restore -- --from <place> [options]

  --from <place>            a file, s3://bucket/key, or - for standard input.
  --passphrase-file <file>  opens the secrets with the passphrase in this file. Default: BACKUP_PASSPHRASE.
  --without-secrets         leaves out the secrets of the archive.
  --quiet                   no progress.
  --help                    this text.

Exit codes: 0 restored and verified; 1 not restored; 2 wrong arguments or settings.
`

/** `npm run restore`. @returns the exit code. */
export function runRestoreCommand(surroundings: CommandSurroundings): Promise<number> {
  return runCommand(surroundings, help, async (config) => {
    const options = readOptions(surroundings.args)
    const passphrase = await readPassphrase(options['passphrase-file'], config)
    const source = await openSource(options.from, { s3: config.s3, stdin: surroundings.stdin })
    const instance = await reachEmptyInstance(config)
    const progress = showProgress(options.quiet ? undefined : surroundings.stderr)
    try {
      const restored = await restore(source, {
        url: instance.url,
        storage: openStorage(config),
        dataDir: options['without-secrets'] ? null : config.dataDir,
        passphrase,
        log: createLog({ level: 'silent' }),
        onProgress: (bytes) => progress('Restoring', bytes),
      })
      surroundings.stdout.write(formatReport(restored, options['without-secrets']))
    } finally {
      await instance.stop()
    }
  })
}

function readOptions(args: readonly string[]) {
  try {
    const { from, ...rest } = parseArgs({
      args: [...args],
      options: {
        from: { type: 'string' },
        'passphrase-file': { type: 'string' },
        'without-secrets': { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
      },
    }).values
    if (from === undefined) throw new Error('--from is missing')
    return { from, ...rest }
  } catch (error) {
    throw new UsageError(`${readErrorMessage(error).split('.')[0]}. See --help.`)
  }
}

function formatReport({ header, manifest, secrets }: Restored, isWithoutSecrets: boolean): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const { files } = manifest
  const lines = [
    `Restored the backup of ${header.createdAt} (version ${header.appVersion}): ${rows} rows, ${files.count} files (${formatBytes(files.bytes)}). All of it is as in the archive.`,
  ]
  if (secrets.length > 0) lines.push(`The secrets were restored: ${secrets.join(', ')}.`)
  else if (isWithoutSecrets || !header.hasSecrets) {
    lines.push(
      'No secrets were restored. Put instance-secret and auth-keys.json into DATA_DIR before you start Earshot, or set INSTANCE_SECRET and GOTRUE_JWT_KEYS.',
    )
  }
  if (files.missing > 0) lines.push(`${files.missing} files were missing when the backup was made.`)
  lines.push('Start Earshot with `npm start`.')
  return `${lines.join('\n')}\n`
}
