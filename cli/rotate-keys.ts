import { type Config, loadConfig } from '#server/config.ts'
import { type Rotation, rotateKeys } from '#server/features/auth/keys/rotate-keys.ts'
import { prepareDataDir } from '#server/platform/embedded-postgres/prepare-data-dir.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { createCleanUp, fail } from './launch/clean-up.ts'
import { readEnvironment } from './launch/read-environment.ts'

/**
 * A new key signs access tokens from the next start on, the old ones keep verifying. `leaked` removes the old ones
 * immediately and replaces the secret API key. Keys in the environment can't be changed from here: then the new value is
 * printed.
 */
export async function run({ leaked }: { readonly leaked?: string | boolean | undefined }): Promise<void> {
  try {
    const { env, defaults } = readEnvironment()
    const config = loadConfig({ ...defaults, ...env })
    if (config.supabase) {
      throw new StartError('With SUPABASE_URL the Supabase project holds the keys: rotate them there.')
    }
    const { jwtKeys, jwtSecret } = config.auth
    if (jwtKeys === null && jwtSecret === null) prepareDataDir(config.dataDir)
    const options = {
      dataDir: config.dataDir,
      configuredKeys: jwtKeys,
      sharedSecret: jwtSecret,
      leaked: leaked === true,
    }
    process.stdout.write(formatReport(await rotateKeys(options), config, options.leaked))
  } catch (error) {
    await fail(error, createCleanUp())
  }
}

function formatReport(rotation: Rotation, { auth }: Config, leaked: boolean): string {
  const fate = leaked
    ? 'The old keys were removed: all access tokens are invalid, and the secret API key changes.'
    : 'The old keys keep verifying: no one is signed out.'
  const lines =
    'file' in rotation
      ? [`  A new signing key is in ${rotation.file}. ${fate}`, '  Restart every process of Earshot.']
      : [
          `  Set this, ${auth.jwtSecret === null || leaked ? '' : 'leave GOTRUE_JWT_SECRET as it is, '}and restart every process of Earshot. ${fate}`,
          ...(leaked && auth.jwtSecret !== null ? ['  Remove GOTRUE_JWT_SECRET.'] : []),
          '',
          `GOTRUE_JWT_KEYS=${rotation.value}`,
          '',
          `  The secret API key derived from it, for your own programs: ${rotation.secretKey}`,
        ]
  return `\n${lines.join('\n')}\n\n`
}
