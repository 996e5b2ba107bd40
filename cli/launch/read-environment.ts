import { existsSync } from 'node:fs'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { isPackage } from '../name-command.ts'

type Values = Readonly<Record<string, string | undefined>>

export interface Environment {
  /** What a person set: the environment, and below it the file `.env` of the current folder. */
  readonly env: Values
  /** What the npm package sets unless a person did. Empty in a clone, which is for development. */
  readonly defaults: Readonly<Record<string, string>>
}

/**
 * Reads the settings of a command. Environment variables override the file.
 *
 * @throws StartError in a package that is told to run as in development.
 */
export function readEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env')
  if (!isPackage) return { env: process.env, defaults: {} }
  const { NODE_ENV = 'production' } = process.env
  if (NODE_ENV !== 'production') {
    throw new StartError(`NODE_ENV is ${NODE_ENV}: development needs a clone of Earshot. Remove NODE_ENV.`)
  }
  return { env: process.env, defaults: choosePackageDefaults(process.env) }
}

/**
 * The package brings no stand-ins for other services, so it runs as in production, in a folder that says whose it is.
 * Without a public address only this machine can reach it: addresses need no confirmation, because no email can be sent.
 */
function choosePackageDefaults(env: Values): Record<string, string> {
  const isLocal = env.APP_URL === undefined && env.HOST === undefined
  const needsNoEmail = isLocal && env.SMTP_URL === undefined && env.SUPERADMIN_EMAILS === undefined
  const defaults = {
    NODE_ENV: 'production',
    DATA_DIR: 'earshot-data',
    LOG_LEVEL: 'warn',
    ...(isLocal && { HOST: 'localhost' }),
    ...(needsNoEmail && { GOTRUE_MAILER_AUTOCONFIRM: 'on' }),
  }
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => env[name] === undefined))
}
