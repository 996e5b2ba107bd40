import { openSource } from '#server/features/backup/places/open-source.ts'
import { type Restored, restore } from '#server/features/backup/restore.ts'
import { createLog } from '#server/platform/log/log.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import type { Given } from '../command.ts'
import { nameCommand } from '../name-command.ts'
import { formatBytes, showProgress } from './progress.ts'
import { reachEmptyInstance } from './reach-instance.ts'
import { readPassphrase } from './read-passphrase.ts'
import { runWithConfig, UsageError } from './run-with-config.ts'

/** Restores a backup into an empty instance, of the same version or a newer one. Earshot must not run there. */
export async function run(given: Given): Promise<void> {
  await runWithConfig(async (config) => {
    const { from, quiet } = given
    const isWithoutSecrets = given['without-secrets'] === true
    if (typeof from !== 'string')
      throw new UsageError(`--from is missing. Explained by: ${nameCommand('restore', '--help')}`)
    const passphrase = await readPassphrase(given['passphrase-file'], config)
    const source = await openSource(from, { s3: config.s3, stdin: process.stdin })
    const instance = await reachEmptyInstance(config)
    const progress = showProgress(quiet ? undefined : process.stderr)
    try {
      const restored = await restore(source, {
        url: instance.url,
        storage: openStorage(config),
        dataDir: isWithoutSecrets ? null : config.dataDir,
        passphrase,
        log: createLog({ level: 'silent' }),
        appVersion: config.appVersion,
        onProgress: (bytes) => progress('Restoring', bytes),
      })
      process.stdout.write(formatReport(restored, isWithoutSecrets))
    } finally {
      await instance.stop()
    }
  })
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
  lines.push(`Start Earshot with \`${nameCommand('start')}\`.`)
  return `${lines.join('\n')}\n`
}
