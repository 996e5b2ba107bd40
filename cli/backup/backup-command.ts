import { setPriority } from 'node:os'
import type { Config } from '#server/config.ts'
import { floorBytes } from '#server/features/backup/floor-bytes.ts'
import { type MadeBackup, makeBackup } from '#server/features/backup/make-backup.ts'
import { noteBackup } from '#server/features/backup/note-backup.ts'
import { openPlace } from '#server/features/backup/places/open-place.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import type { Given } from '../command.ts'
import { formatBytes, showProgress } from './progress.ts'
import { reachInstance } from './reach-instance.ts'
import { readPassphrase } from './read-passphrase.ts'
import { runWithConfig } from './run-with-config.ts'

/** Writes a backup of the whole instance into one file, while Earshot runs or is stopped. */
export async function run(given: Given): Promise<void> {
  // Below the processes that answer requests.
  setPriority(10)
  await runWithConfig(async (config) => {
    const { to, quiet } = given
    const passphrase = await readPassphrase(given['passphrase-file'], config)
    const instance = await reachInstance(config)
    const progress = showProgress(quiet ? undefined : process.stderr)
    const startedAt = new Date()
    const place = typeof to === 'string' ? to : config.backup.to
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
            stdout: process.stdout,
          }),
        onProgress: ({ step, bytes, expectedBytes }) =>
          progress(step === 'write' ? 'Writing' : 'Verifying', bytes, expectedBytes),
      })
      await noteBackup(instance.url, made, startedAt, 'a backup was made by the command')
      const output = place === '-' ? process.stderr : process.stdout
      output.write(formatReport(made, passphrase !== null, config))
    } finally {
      await instance.stop()
    }
  })
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
