import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { replaceSecretFile } from '#server/platform/secret/secret-file.ts'

const PendingUpgrade = Type.Object({
  /** The last migration of the database as it was backed up. */
  from: Type.String(),
  /** The migration with which the upgrade ends. */
  to: Type.String(),
  /** Of the archive. */
  location: Type.String(),
  startedAt: Type.String(),
})

/** An upgrade that has its backup and has not ended. Kept in the data folder, so that the next start knows the archive. */
type PendingUpgrade = Static<typeof PendingUpgrade>

const fileName = 'upgrade.json'

export async function readPendingUpgrade(dataDir: string): Promise<PendingUpgrade | undefined> {
  try {
    const found: unknown = JSON.parse(await readFile(join(dataDir, fileName), 'utf8'))
    return Check(PendingUpgrade, found) ? found : undefined
  } catch {
    // Missing or cut: then a new backup is made.
    return undefined
  }
}

export function writePendingUpgrade(dataDir: string, upgrade: PendingUpgrade): Promise<void> {
  return replaceSecretFile(join(dataDir, fileName), `${JSON.stringify(upgrade)}\n`)
}

export async function endPendingUpgrade(dataDir: string): Promise<void> {
  await rm(join(dataDir, fileName), { force: true })
}
