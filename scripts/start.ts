/*
 * `npm start`: starts the product and its services as children of this process (the server, PostgreSQL, the mail
 * catcher), starts again what ends by itself, and prints one summary, or one line if the start fails.
 */
import { existsSync } from 'node:fs'
import { type Config, loadConfig } from '#server/config.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { buildIfStale } from './launch/build-if-stale.ts'
import { createCleanUp, fail, stopOnBugs, stopOnSignals } from './launch/clean-up.ts'
import { keepServer } from './launch/keep-server.ts'
import { startServices } from './launch/start-services.ts'

const cleanUp = createCleanUp()
stopOnSignals(cleanUp, () => process.stdout.write('\nStopping …\n'))

try {
  // Environment variables override the file.
  if (existsSync('.env')) process.loadEnvFile('.env')
  const given = loadConfig(process.env)
  // Half a second of loading, while PostgreSQL starts.
  const server = keepServer()
  // Where the start fails or a second Ctrl-C asks for haste, nothing waits for it.
  process.once('exit', () => server.kill())
  const { createLog } = await import('#server/platform/log/log.ts')
  const log = createLog({ level: given.logLevel, pretty: !given.production })
  stopOnBugs(cleanUp, (error) => log.fatal({ err: error }, 'a bug: an error that no code handled; Earshot stops'))
  const services = await startServices(given, log, cleanUp, (lastWord) => {
    fail(new StartError(lastWord), cleanUp)
  })
  // After the checks of this machine, which take a second; a build takes ten.
  await buildIfStale()
  cleanUp.add(server)
  await server.run(
    {
      DATABASE_URL: services.databaseUrl,
      ...(services.smtpUrl === null ? {} : { SMTP_URL: services.smtpUrl }),
      ...services.settings,
    },
    log,
  )
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
