import { type DescribedPlan, isLong, type PlannedMigration } from '#server/platform/database/describe-plan.ts'
import { formatBytes } from '../backup/progress.ts'

/** What an upgrade will do, for someone who decides when to begin. */
export function formatPlan({ fromVersion, from, migrations }: DescribedPlan, appVersion: string): string {
  const to = migrations.at(-1)?.name ?? from
  const before = fromVersion === null ? 'an earlier version' : `version ${fromVersion}`
  const long = migrations.filter(({ locks }) => locks?.some(isLong) ?? true)
  const lines = [
    `From ${before} (${from}) to version ${appVersion} (${to}): ${count(migrations.length, 'migration')}.`,
    ...migrations.flatMap(formatMigration),
    long.length === 0
      ? 'Earshot can answer meanwhile: each lock is held for moments, whatever the size of a table.'
      : `Writers wait during ${count(long.length, 'migration')}, marked by “!”, for longer the more rows there are. Do it at a quiet hour.`,
  ]
  return `${lines.join('\n')}\n`
}

function formatMigration({ name, locks }: PlannedMigration): string[] {
  if (!locks) return [`! ${name}: its locks are not known.`]
  if (locks.length === 0) return [`  ${name}: no table of before is locked.`]
  return locks.map((lock) => {
    const { table, mode, work, size } = lock
    const rows = work === 'brief' ? '' : ` (${count(size.rows, 'row')}, ${formatBytes(size.bytes)})`
    return `${isLong(lock) ? '!' : ' '} ${name}: ${table}${rows}, lock ${mode}, ${work}`
  })
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
}
