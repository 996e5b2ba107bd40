import type { Config } from '#server/config.ts'
import { keepPostgres } from '#server/platform/embedded-postgres/keep-postgres.ts'
import { lockDataDir } from '#server/platform/embedded-postgres/lock-data-dir.ts'
import { prepareDataDir } from '#server/platform/embedded-postgres/prepare-data-dir.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'
import type { Log } from '#server/platform/log/log.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { checkPorts, type WantedPort } from './check-ports.ts'
import type { CleanUp } from './clean-up.ts'

/** The running services of the server. */
export type Services = {
  databaseUrl: string
  smtpUrl: string | null
  /** Web page of the mail catcher; null where emails are really sent. Resolves when it can be opened. */
  mailPage: Promise<string | null>
  /** More settings for the server to reach the started services. */
  settings: Readonly<Record<string, string>>
}

/**
 * Starts a database, a mail catcher and stand-ins for Google and Stripe, unless the configuration names others, and migrates the
 * database. All started services are passed to `cleanUp`, also when it throws.
 *
 * @param onLost called with one sentence when the database can't be kept running, or the mail catcher has ended
 * @throws Error whose message is one line for the operator
 */
export async function startServices(
  config: Config,
  log: Log,
  cleanUp: CleanUp,
  onLost: (lastWord: string) => void,
): Promise<Services> {
  if (config.supabase && config.databaseUrl === null) {
    throw new StartError('DATABASE_URL is missing: with SUPABASE_URL, set it to the URL of that project’s database.')
  }
  prepareDataDir(config.dataDir, (line) => log.warn({}, line))
  const catchesMail = !config.production && config.smtpUrl === null
  await checkPorts(listPorts(config, catchesMail))
  const mail = catchesMail ? startMail(config, cleanUp, onLost) : null
  // A rejection is reported where it is awaited; until then it must not count as unhandled.
  mail?.catch(() => {})
  const google = startGoogle(config, cleanUp)
  google.catch(() => {})
  const stripe = startStripe(config, cleanUp)
  stripe.catch(() => {})
  const ownerUrl =
    config.databaseUrl === null
      ? await startDatabase(config, log, cleanUp, onLost)
      : (config.databaseMigrationUrl ?? config.databaseUrl)
  const { upgradeDatabase } = await import('../upgrade/upgrade-database.ts')
  // Whatever the log level: someone waits for the start.
  await upgradeDatabase({ config, ownerUrl, log, tell: (line) => process.stdout.write(`${line}\n`) })
  const { checkAppLogin, makeAppLogin } = await import('#server/platform/database/app-login.ts')
  const databaseUrl = config.databaseUrl ?? (await makeAppLogin(ownerUrl))
  if (config.databaseUrl !== null) {
    const { databaseDirectUrl: directUrl } = config
    await checkAppLogin({ url: databaseUrl, directUrl, ownerUrl, isSupabase: config.supabase !== null, log })
  }
  return {
    databaseUrl,
    smtpUrl: catchesMail ? `smtp://127.0.0.1:${config.mailCatcher.smtpPort}` : config.smtpUrl,
    mailPage: mail ?? Promise.resolve(null),
    settings: { ...(await google), ...(await stripe) },
  }
}

function listPorts(config: Config, catchesMail: boolean): WantedPort[] {
  const ports: WantedPort[] = config.services.web ? [{ setting: 'PORT', port: config.port, host: config.host }] : []
  if (catchesMail) {
    ports.push({ setting: 'MAIL_SMTP_PORT', port: config.mailCatcher.smtpPort, host: '127.0.0.1' })
    ports.push({ setting: 'MAIL_WEB_PORT', port: config.mailCatcher.webPort, host: '127.0.0.1' })
  }
  if (config.googleDouble) {
    ports.push({ setting: 'GOOGLE_DOUBLE_PORT', port: config.googleDouble.port, host: '127.0.0.1' })
  }
  if (config.stripeDouble) {
    ports.push({ setting: 'STRIPE_DOUBLE_PORT', port: config.stripeDouble.port, host: '127.0.0.1' })
  }
  return ports
}

async function startDatabase(
  config: Config,
  log: Log,
  cleanUp: CleanUp,
  onLost: (lastWord: string) => void,
): Promise<string> {
  const lock = await lockDataDir(config.dataDir)
  cleanUp.add({ stop: async () => lock.release() })
  const starting = startEmbeddedPostgres(config.dataDir)
  let kept: ReturnType<typeof keepPostgres> | undefined
  cleanUp.add({
    async stop() {
      // Before it is kept, it is only waited for.
      const postgres = await starting.catch(() => undefined)
      await (kept ?? postgres)?.stop()
    },
    kill: () => kept?.kill(),
  })
  const first = await starting
  const port = Number(new URL(first.url).port)
  kept = keepPostgres(first, {
    startAgain: () => startEmbeddedPostgres(config.dataDir, {}, port),
    log,
    onGivenUp: onLost,
  })
  return kept.url
}

async function startMail(config: Config, cleanUp: CleanUp, onLost: (lastWord: string) => void): Promise<string> {
  const { startMailCatcher } = await import('#doubles/mail.ts')
  const starting = startMailCatcher(config.mailCatcher)
  cleanUp.add({ stop: async () => (await starting.catch(() => undefined))?.stop() })
  try {
    const mail = await starting
    mail.ended.then(() => onLost('The mail catcher has stopped unexpectedly.'))
    return mail.webUrl
  } catch (error) {
    throw new StartError(readErrorMessage(error))
  }
}

async function startGoogle(config: Config, cleanUp: CleanUp): Promise<Services['settings']> {
  if (!config.googleDouble) return {}
  const { startGoogleDouble } = await import('#doubles/google.ts')
  try {
    const google = await startGoogleDouble(config.googleDouble)
    cleanUp.add(google)
    return google.settings
  } catch (error) {
    throw new StartError(`The stand-in for Google did not start: ${readErrorMessage(error)}`)
  }
}

async function startStripe(config: Config, cleanUp: CleanUp): Promise<Services['settings']> {
  if (!config.stripeDouble) return {}
  const { startStripeDouble } = await import('#doubles/stripe/stripe.ts')
  const { port, appUrl } = config.stripeDouble
  try {
    const stripe = await startStripeDouble({ port, webhookUrl: `${appUrl}/api/v1/hooks/stripe` })
    cleanUp.add(stripe)
    return {
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_double',
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_URL: stripe.url,
      STRIPE_SCRIPT_URL: `${stripe.url}/dahlia/stripe.js`,
    }
  } catch (error) {
    throw new StartError(`The stand-in for Stripe did not start: ${readErrorMessage(error)}`)
  }
}
