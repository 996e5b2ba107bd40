/*
 * `npm start`: starts the product and its services in one process (PostgreSQL and the mail catcher are its children),
 * and prints one summary, or one line if the start fails.
 */
import { existsSync } from 'node:fs'
import { type Config, loadConfig } from '#server/config.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { buildIfStale } from './launch/build-if-stale.ts'
import { createCleanUp, fail, stopOnSignals } from './launch/clean-up.ts'
import { startServices } from './launch/start-services.ts'

const cleanUp = createCleanUp()
stopOnSignals(cleanUp, () => process.stdout.write('\nStopping …\n'))

try {
  // Environment variables override the file.
  if (existsSync('.env')) process.loadEnvFile('.env')
  const given = loadConfig(process.env)
  // Half a second of loading, while PostgreSQL starts. A failure is reported where it is awaited.
  const loadingServer = import('#server/start.ts')
  loadingServer.catch(() => {})
  const { createLog } = await import('#server/platform/log/log.ts')
  const log = createLog({ level: given.logLevel, pretty: !given.production })
  const services = await startServices(given, log, cleanUp, (what) => {
    fail(new StartError(`${what} has stopped unexpectedly.`), cleanUp)
  })
  // After the checks of this machine, which take a second; a build takes ten.
  await buildIfStale()
  const config = loadConfig({
    ...process.env,
    DATABASE_URL: services.databaseUrl,
    ...(services.smtpUrl === null ? {} : { SMTP_URL: services.smtpUrl }),
    ...services.settings,
  })
  const { startServer } = await loadingServer
  const server = await startServer({ ...config, databaseUrl: services.databaseUrl }, log)
  cleanUp.add(server)
  print(given, await services.mailPage)
} catch (error) {
  await fail(error, cleanUp)
}

function print(config: Config, mailPage: string | null): void {
  const mail = mailPage ? `${mailPage}   (shows caught emails; none is delivered)` : describeMail(config.smtpUrl)
  const data = config.databaseUrl ? `${describeDatabase(config.databaseUrl)}, and ${config.dataDir}` : config.dataDir
  const lines = [
    '',
    '  Earshot is running.',
    '',
    `  App   ${config.appUrl}`,
    `  Mail  ${mail}`,
    `  Data  ${data}`,
    '',
    '  Ctrl-C stops it.',
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function describeMail(smtpUrl: string | null): string {
  return smtpUrl ? `sent through ${new URL(smtpUrl).host}` : 'not sent: SMTP_URL is not set'
}

function describeDatabase(url: string): string {
  const { host, pathname } = new URL(url)
  return `PostgreSQL at ${host || 'localhost'}${pathname}`
}
