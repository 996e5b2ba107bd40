import { readFile } from 'node:fs/promises'
import type { Config } from '#server/config.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import type { Given } from '../command.ts'
import { UsageError } from './run-with-config.ts'

const fewestCharacters = 12

/** From the file, or else from the setting; null: neither was given. Line breaks at the end of the file don't count. */
export async function readPassphrase(file: Given[string], { backup }: Config): Promise<string | null> {
  if (typeof file !== 'string') return backup.passphrase
  const passphrase = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`The passphrase can’t be read from ${file}: ${readErrorMessage(error)}.`)
  })
  const trimmed = passphrase.replace(/[\r\n]+$/, '')
  if (trimmed.length < fewestCharacters) {
    throw new UsageError(`The passphrase in ${file} must have at least ${fewestCharacters} characters.`)
  }
  return trimmed
}
