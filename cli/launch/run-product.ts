import { type Config, loadConfig } from '#server/config.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { isPackage } from '../name-command.ts'
import { type CleanUp, fail, stopOnBugs } from './clean-up.ts'
import type { KeptServer } from './keep-server.ts'
import type { Environment } from './read-environment.ts'
import { startServices } from './start-services.ts'

/**
 * Starts the services that the server needs, then lets it serve, and prints where.
 *
 * @throws Error whose message is one line for the operator
 */
export async function runProduct(server: KeptServer, { env, defaults }: Environment, cleanUp: CleanUp): Promise<void> {
  const given = loadConfig({ ...defaults, ...env })
  const { createLog } = await import('#server/platform/log/log.ts')
  const log = createLog({ level: given.logLevel, pretty: !given.production })
  stopOnBugs(cleanUp, (error) => log.fatal({ err: error }, 'a bug: an error that no code handled; Earshot stops'))
  const services = await startServices(given, log, cleanUp, (lastWord) => {
    fail(new StartError(lastWord), cleanUp)
  })
  // After the checks of this machine, which take a second; a build takes ten.
  if (!isPackage) await (await import('../../scripts/build-if-stale.ts')).buildIfStale()
  cleanUp.add(server)
  await server.run(
    {
      ...defaults,
      DATABASE_URL: services.databaseUrl,
      ...(services.smtpUrl === null ? {} : { SMTP_URL: services.smtpUrl }),
      ...services.settings,
    },
    log,
  )
  print(given, await services.mailPage)
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
