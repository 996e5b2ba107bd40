import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '#server/platform/read-error.ts'
import { type Check, failed, notApplicable, ok, warning } from '../check.ts'

const wellKnown = /^(change|replace|your|example|default|test|secret|password|super-secret|0123456789|abcdef)/i
const fewestCharacters = 10

/** Whether a secret looks like an example or a repeated character. */
function isWeak(secret: string): boolean {
  return wellKnown.test(secret) || new Set(secret).size < fewestCharacters
}

/** The rights of a file, as in `0640`; undefined: it doesn't exist. */
async function readMode(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const writeMode = (mode: number) => mode.toString(8).padStart(4, '0')
const others = 0o077

export const securityChecks: readonly Check[] = [
  {
    id: 'instance-secret',
    area: 'Security',
    title: 'Strength of INSTANCE_SECRET',
    remedy: 'Make a random one, e.g. with `openssl rand -hex 32`, and keep the old one as INSTANCE_SECRET_PREVIOUS.',
    run: ({ config: { instanceSecret } }) => {
      if (instanceSecret === null) return ok('Earshot made a random secret.')
      if (isWeak(instanceSecret)) return failed('INSTANCE_SECRET looks like an example: links could be forged.')
      return ok('INSTANCE_SECRET is not an example.')
    },
  },
  {
    id: 'jwt-secret',
    area: 'Security',
    title: 'Strength of GOTRUE_JWT_SECRET',
    remedy: 'Remove GOTRUE_JWT_SECRET: Earshot then makes keys of its own. Everyone has to sign in again.',
    run: ({ config: { auth } }) => {
      if (auth.jwtSecret === null) return ok('Tokens are signed with keys, not with a shared secret.')
      if (isWeak(auth.jwtSecret))
        return failed('GOTRUE_JWT_SECRET looks like an example: access tokens could be forged.')
      return ok('GOTRUE_JWT_SECRET is not an example.')
    },
  },
  {
    id: 'secret-files',
    area: 'Security',
    title: 'Files with secrets',
    remedy: 'Run `chmod 600` on the file, and find out who could read it meanwhile.',
    run: async ({ config: { dataDir } }) => {
      if (process.platform === 'win32') return notApplicable('Windows has other rights.')
      for (const name of ['instance-secret', 'auth-keys.json', 'postgres.json']) {
        const mode = await readMode(join(dataDir, name))
        if (mode !== undefined && mode & others) {
          return failed(`Other users of this machine can reach ${join(dataDir, name)}: its mode is ${writeMode(mode)}.`)
        }
      }
      return ok('Only their owner can read the files with secrets.')
    },
  },
  {
    id: 'env-file',
    area: 'Security',
    title: 'Rights of the file .env',
    remedy: 'Run `chmod 600 .env`.',
    run: async ({ envFile }) => {
      if (process.platform === 'win32') return notApplicable('Windows has other rights.')
      const mode = await readMode(envFile)
      if (mode === undefined) return notApplicable('There is no file .env.')
      if (mode & others)
        return warning(`Other users of this machine can read ${envFile}: its mode is ${writeMode(mode)}.`)
      return ok('Only its owner can read the file .env.')
    },
  },
  {
    id: 'autoconfirm',
    area: 'Security',
    title: 'Confirmation of addresses',
    remedy: 'Remove GOTRUE_MAILER_AUTOCONFIRM.',
    run: ({ config: { auth, production, supabase } }) => {
      if (supabase) return notApplicable('The Supabase project confirms addresses.')
      if (!auth.mailerAutoconfirm) return ok('Addresses are confirmed by email.')
      if (!production) return notApplicable('This is no public server.')
      return warning('Addresses are not confirmed: anyone can sign up with the address of someone else.')
    },
  },
  {
    id: 'private-hosts',
    area: 'Security',
    title: 'Private hosts for webhooks',
    remedy: 'List single hosts in OUTBOUND_ALLOWED_HOSTS.',
    run: ({ config: { outbound } }) => {
      const wide = outbound.allowedHosts.find((host) => /\/[0-8](:|$)/.test(host) || host.startsWith('169.254.'))
      if (wide === undefined) return ok('Webhooks reach no large private network.')
      return warning(`OUTBOUND_ALLOWED_HOSTS contains ${wide}: members can make Earshot call any host there.`)
    },
  },
  {
    id: 'log-level',
    area: 'Security',
    title: 'Log level',
    remedy: 'Remove LOG_LEVEL, or set it to `info`.',
    run: ({ config: { logLevel, production } }) => {
      if (!production) return notApplicable('This is no public server.')
      if (logLevel === 'silent') return warning('Nothing is logged: errors can’t be found.')
      if (logLevel === 'debug' || logLevel === 'trace')
        return warning(`LOG_LEVEL=${logLevel} fills the disk with logs.`)
      return ok(`LOG_LEVEL is ${logLevel}.`)
    },
  },
]
