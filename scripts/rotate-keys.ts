/*
 * `npm run rotate-keys`: a new key signs access tokens from the next start on, the old ones go on verifying. `--leaked`
 * drops the old ones at once and replaces the secret API key. Keys that come from the environment can't be changed from
 * here: then the value to set is printed.
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Config, loadConfig } from '#server/config.ts'
import { type Rotation, rotateKeys } from '#server/features/auth/keys/rotate-keys.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { createCleanUp, fail } from './launch/clean-up.ts'
import { prepareDataDir } from './launch/prepare-data-dir.ts'

try {
  const leaked = readLeaked()
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = loadConfig(process.env)
  if (config.supabase) throw new StartError('With SUPABASE_URL the Supabase project holds the keys: rotate them there.')
  const { jwtKeys, jwtSecret } = config.auth
  if (jwtKeys === null && jwtSecret === null) prepareDataDir(config.dataDir)
  const options = { dataDir: config.dataDir, configuredKeys: jwtKeys, sharedSecret: jwtSecret, leaked }
  process.stdout.write(formatReport(await rotateKeys(options), config, leaked))
} catch (error) {
  await fail(error, createCleanUp())
}

function readLeaked(): boolean {
  try {
    return parseArgs({ options: { leaked: { type: 'boolean' } } }).values.leaked ?? false
  } catch (error) {
    throw new StartError(`${(error as Error).message.split('.')[0]}. Option: --leaked drops the old keys at once.`)
  }
}

function formatReport(rotation: Rotation, { auth }: Config, leaked: boolean): string {
  const fate = leaked
    ? 'The old keys are gone: every access token ends at once, and the secret API key changes.'
    : 'The old keys keep verifying: nobody is signed out.'
  const lines =
    'file' in rotation
      ? [`  A new signing key stands in ${rotation.file}. ${fate}`, '  Restart Earshot, every process of it.']
      : [
          `  Set this, ${auth.jwtSecret === null || leaked ? '' : 'leave GOTRUE_JWT_SECRET as it is, '}and restart Earshot, every process of it. ${fate}`,
          ...(leaked && auth.jwtSecret !== null ? ['  Take GOTRUE_JWT_SECRET away.'] : []),
          '',
          `GOTRUE_JWT_KEYS=${rotation.value}`,
          '',
          `  The secret API key that follows from it, for programs of your own: ${rotation.secretKey}`,
        ]
  return `\n${lines.join('\n')}\n\n`
}
