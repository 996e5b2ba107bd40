import { type Config, loadConfig } from '#server/config.ts'
import { isPasswordCorrect } from '#server/features/auth/accounts/password.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { prepareDataDir } from '#server/platform/embedded-postgres/prepare-data-dir.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { createLog } from '#server/platform/log/log.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import type { Given } from './command.ts'
import { demoDays } from './demo/compose-demo.ts'
import { findDemo, findPasswordHashes, hasSuperadmin, type StandingDemo } from './demo/demo.queries.ts'
import { fillDemo } from './demo/fill-demo.ts'
import { demoMembers, demoOrganization, demoPassword } from './demo/people.ts'
import { reachDatabase } from './demo/reach-database.ts'
import { type CleanUp, createCleanUp, fail, stopOnSignals } from './launch/clean-up.ts'
import { readEnvironment } from './launch/read-environment.ts'
import { nameCommand } from './name-command.ts'

const memberIds = demoMembers.map((member) => member.id)

/**
 * Fills a demo organisation, with the product running or stopped. A second run changes nothing and prints the sign-in;
 * `reset` recreates it.
 */
export async function run(given: Given): Promise<void> {
  const cleanUp = createCleanUp()
  stopOnSignals(cleanUp)
  try {
    process.stdout.write(await fill(given, cleanUp))
  } catch (error) {
    await fail(error, cleanUp)
  }
}

/** @returns what to print */
async function fill(given: Given, cleanUp: CleanUp): Promise<string> {
  const { env, defaults } = readEnvironment()
  const config = loadConfig({ ...defaults, ...env })
  const password = choosePassword(config, typeof given.password === 'string' ? given.password : undefined)
  const log = createLog({ level: config.logLevel, pretty: !config.production })
  const url = await reachDatabase(config, cleanUp)
  await migrate({ url, log, skipAuth: false })
  const database = openDatabase({ url, log, maxConnections: 2 })
  cleanUp.add({ stop: () => database.close() })
  const before = await findDemo(database, demoOrganization.id, memberIds)
  if (before === undefined || given.reset) {
    if (config.s3 === null) prepareDataDir(config.dataDir)
    await fillDemo(database, openStorage(config), password, new Date())
  }
  const demo = before !== undefined && !given.reset ? before : await findDemo(database, demoOrganization.id, memberIds)
  if (!demo) throw new Error('The demo was filled but is missing.')
  const text = await formatReport(database, demo, { config, password, isNew: demo !== before })
  await cleanUp.stopAll()
  return text
}

/** @throws StartError where the demo's accounts are impossible or a security hole. */
function choosePassword(config: Config, given: string | undefined): string {
  if (config.supabase !== null) {
    throw new StartError('The demo creates its own accounts, which is impossible with SUPABASE_URL.')
  }
  const isPublic =
    config.production && !(config.host === 'localhost' && new URL(config.appUrl).hostname === 'localhost')
  if (given === undefined && isPublic) {
    throw new StartError(
      `The demo’s password is public. In production set one: ${nameCommand('demo', '--password <at least 12 characters>')}.`,
    )
  }
  const leastLength = isPublic ? 12 : config.auth.passwordMinLength
  if (given !== undefined && ([...given].length < leastLength || Buffer.byteLength(given) > 72)) {
    throw new StartError(`--password must have ${leastLength} to 72 characters.`)
  }
  return given ?? demoPassword
}

async function formatReport(
  database: Database,
  demo: StandingDemo,
  { config, password, isNew }: { config: Config; password: string; isNew: boolean },
): Promise<string> {
  const hashes = await findPasswordHashes(database, memberIds)
  const members = await Promise.all(
    demo.members.map(async ({ id, email, full_name, role }) => {
      const isKnown = await isPasswordCorrect(password, hashes.get(id))
      return [role, email, isKnown ? password : '(changed since)', full_name ?? ''] as const
    }),
  )
  const widths = [0, 1, 2].map((column) => Math.max(...members.map((member) => member[column]?.length ?? 0)))
  const rows = members.map((member) =>
    member
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trim(),
  )
  const isRunning = await answers(config.port)
  const size = `${demo.feedbackCount} feedback items, ${demo.projectCount} projects, ${members.length} members`
  const lines = [
    '',
    isNew
      ? `  The demo organisation ${demo.name} is filled: ${size}, ${demoDays} days.`
      : `  The demo organisation ${demo.name} already exists (${size}). Nothing was changed.`,
    '',
    `  Sign in at ${config.appUrl}/login${isRunning ? '' : `   (start Earshot first: ${nameCommand('start')})`}`,
    '',
    ...rows.map((row) => `    ${row}`),
    '',
    ...((await hasSuperadmin(database))
      ? []
      : ['  None of them is superadmin: the first person who registers and confirms an address will be.', '']),
    `  ${nameCommand('demo', '--reset')}   deletes this organisation and its accounts and recreates them.`,
    '',
  ]
  return `${lines.join('\n')}\n`
}

async function answers(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://localhost:${port}/health`, { signal: AbortSignal.timeout(1_500) })
    return (await reply.text()).trim() === 'OK'
  } catch {
    return false
  }
}
