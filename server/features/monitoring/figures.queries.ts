import { sql } from 'kysely'
import { type FigureName, figureNames, monitoredFigures } from '#contract/monitored-figures.ts'
import type { SystemTx } from '#server/platform/database/database.ts'

export type Figures = Readonly<Record<FigureName, number | null>>

const tables = { process: sql.ref('app.process_minutes'), instance: sql.ref('app.instance_minutes') } as const
type Source = keyof typeof tables
const namesOf = (source: Source) => figureNames.filter((name) => monitoredFigures[name].of === source)
/** The worst values of several rows, in the columns of a select. */
const worst = (source: Source) =>
  sql.join(
    namesOf(source).map((name) =>
      monitoredFigures[name].alertsWhen === 'above'
        ? sql`max(${sql.ref(name)})::float8 as ${sql.ref(name)}`
        : sql`min(${sql.ref(name)})::float8 as ${sql.ref(name)}`,
    ),
  )

/** The figures of the last three minutes, of which a process that just stopped answering has written some. */
export async function readFigures(tx: SystemTx): Promise<Figures> {
  const { rows: ofProcesses } = await sql<Partial<Figures>>`
    select ${worst('process')} from (
      select distinct on (m.process_id) m.* from app.process_minutes m
      join app.monitored_processes p on p.id = m.process_id and p.ended_at is null
      where m.minute > now() - interval '3 minutes' order by m.process_id, m.minute desc) latest
  `.execute(tx)
  const { rows: ofInstance } = await sql<Partial<Figures>>`
    select ${worst('instance')} from (
      select * from app.instance_minutes where minute > now() - interval '3 minutes' order by minute desc limit 1) latest
  `.execute(tx)
  const found: Partial<Figures> = { ...ofProcesses[0], ...ofInstance[0] }
  // Both selects together name every figure.
  return Object.fromEntries(figureNames.map((name) => [name, found[name] ?? null])) as Figures
}

export interface HistoryStep extends Partial<Figures> {
  readonly at: Date
}

/** Of each step that has measurements the worst value. */
export async function listHistory(tx: SystemTx, source: Source, hours: number, stepMinutes: number) {
  const { rows } = await sql<HistoryStep>`
    select date_bin(make_interval(mins => ${stepMinutes}::integer), minute, 'epoch'::timestamptz) as at, ${worst(source)}
    from ${tables[source]} where minute > now() - make_interval(hours => ${hours}::integer)
    group by 1
  `.execute(tx)
  return rows
}
