import { sql } from 'kysely'
import { type UsageFigure, usageFigureNames } from '#contract/superadmin-metrics.ts'
import type { SystemTx } from '#server/platform/database/database.ts'

/** What a change of the sums by organisation has made stale. Days as `2026-01-31`. */
export interface StaleSums {
  readonly days: readonly string[]
  readonly registeredOn: readonly string[]
}

/** Figures that triggers count; the others are sums of the widget's hours. */
type CountedFigure = Exclude<UsageFigure, 'loads' | 'opens' | 'submissions'>
const counted = [
  'organizations',
  'members',
  'projects',
  'installs',
  'items',
  'replies',
  'exports',
  'integrations',
] as const satisfies readonly CountedFigure[]

const list = (make: (column: ReturnType<typeof sql.ref>, figure: UsageFigure) => ReturnType<typeof sql>) => ({
  of: (figures: readonly UsageFigure[]) => sql.join(figures.map((figure) => make(sql.ref(figure), figure))),
})
const names = list((column) => sql`${column}`)

/** One process at a time. False: another is at it. */
export async function tryLockUsage(tx: SystemTx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('usage_days', 0)) as locked
  `.execute(tx)
  return rows[0]?.locked ?? false
}

/** Adds waiting changes to the sums by organisation and day. @returns undefined: none waited. */
export async function addUsageChanges(
  tx: SystemTx,
  limit: number,
): Promise<{ days: string[]; organizationIds: string[]; taken: number } | undefined> {
  const sums = list((_, figure) => sql`coalesce(sum(t.n) filter (where t.figure = ${figure}), 0)`)
  const added = list((column) => sql`${column} = d.${column} + excluded.${column}`)
  const { rows } = await sql<{ days: string[]; organizationIds: string[]; taken: number }>`
    with taken as (
      delete from app.usage_changes c
      using (select organization_id, id from app.usage_changes order by id limit ${limit}) t
      where c.organization_id = t.organization_id and c.id = t.id
      returning c.organization_id, c.day, c.figure, c.n
    ),
    stored as (
      insert into app.usage_days as d (organization_id, day, ${names.of(counted)})
      select t.organization_id, t.day, ${sums.of(counted)}
      from taken t join organizations o on o.id = t.organization_id
      group by t.organization_id, t.day
      on conflict (organization_id, day) do update set ${added.of(counted)}
      returning d.organization_id, d.day
    )
    select array(select distinct day::text from stored) as days,
      array(select distinct organization_id::text from stored) as "organizationIds",
      (select count(*) from taken) as taken
  `.execute(tx)
  const [found] = rows
  return found && found.taken > 0 ? found : undefined
}

/** Makes the sums of the widget's use on the last days again. Counts may be late by as long as the database was away. */
export async function sumWidgetUsage(
  tx: SystemTx,
  lastDays: number,
): Promise<{ days: string[]; organizationIds: string[] }> {
  const { rows } = await sql<{ days: string[]; organizationIds: string[] }>`
    with stored as (
      insert into app.usage_days as d (organization_id, day, loads, opens, submissions)
      select organization_id, (hour at time zone 'utc')::date,
        coalesce(sum(n) filter (where event = 'loaded'), 0),
        coalesce(sum(n) filter (where event = 'opened'), 0),
        coalesce(sum(n) filter (where event = 'submitted'), 0)
      from widget_counters
      where hour >= date_trunc('day', now(), 'utc') - make_interval(days => ${lastDays}::integer)
      group by 1, 2
      on conflict (organization_id, day) do update
      set loads = excluded.loads, opens = excluded.opens, submissions = excluded.submissions
      where (d.loads, d.opens, d.submissions) is distinct from (excluded.loads, excluded.opens, excluded.submissions)
      returning d.organization_id, d.day
    )
    select array(select distinct day::text from stored) as days,
      array(select distinct organization_id::text from stored) as "organizationIds"
  `.execute(tx)
  return rows[0] ?? { days: [], organizationIds: [] }
}

/** Derives the steps of the funnel that organisations have taken. Null: of all. @returns days of sign-up to recount. */
export async function deriveActivations(tx: SystemTx, organizationIds: readonly string[] | null): Promise<string[]> {
  const { rows } = await sql<{ registeredOn: string }>`
    insert into app.activations as a (organization_id, registered_on, has_project, is_installed, has_item, is_engaged)
    select o.id, (o.created_at at time zone 'utc')::date, sum(d.projects) > 0, sum(d.installs) > 0, sum(d.items) > 0,
      sum(d.replies) > 0 or sum(d.members) > 1
    from organizations o
    join app.usage_days d on d.organization_id = o.id
    where ${organizationIds}::uuid[] is null or o.id = any(${organizationIds}::uuid[])
    group by o.id, o.created_at
    on conflict (organization_id) do update
    set registered_on = excluded.registered_on, has_project = excluded.has_project,
      is_installed = excluded.is_installed, has_item = excluded.has_item, is_engaged = excluded.is_engaged
    where (a.registered_on, a.has_project, a.is_installed, a.has_item, a.is_engaged) is distinct from
      (excluded.registered_on, excluded.has_project, excluded.is_installed, excluded.has_item, excluded.is_engaged)
    returning registered_on::text as "registeredOn"
  `.execute(tx)
  return [...new Set(rows.map(({ registeredOn }) => registeredOn))]
}

/** @returns days of sign-up of organisations that were verified since. */
export async function noteVerified(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct day::text as day from app.note_verified_activations() as day
  `.execute(tx)
  return rows.map(({ day }) => day)
}

/** Makes the sums over all organisations again, of the days that are stale. */
export async function sumOverOrganizations(tx: SystemTx, { days, registeredOn }: StaleSums): Promise<void> {
  if (days.length > 0) {
    await sumDays(tx, days)
    await countActive(tx, days)
  }
  if (registeredOn.length > 0) await sumActivations(tx, registeredOn)
}

async function sumDays(tx: SystemTx, days: readonly string[]): Promise<void> {
  const sums = list((column) => sql`sum(${column})`)
  await sql`delete from app.instance_days where day = any(${days}::date[])`.execute(tx)
  await sql`
    insert into app.instance_days (day, ${names.of(usageFigureNames)})
    select day, ${sums.of(usageFigureNames)} from app.usage_days where day = any(${days}::date[]) group by day
  `.execute(tx)
}

/** A sum that an organisation's day must exceed to count as active. */
export const activity = sql`(u.items > 0 or u.replies > 0 or u.exports > 0)`

async function countActive(tx: SystemTx, days: readonly string[]): Promise<void> {
  const starts = sql`
    select distinct s.step, date_trunc(s.step, d.day::timestamp)::date as starts_on
    from unnest(${days}::date[]) as d (day) cross join unnest(array['day', 'week', 'month']) as s (step)
  `
  await sql`
    delete from app.active_organizations a using (${starts}) s where a.step = s.step and a.starts_on = s.starts_on
  `.execute(tx)
  await sql`
    insert into app.active_organizations (step, starts_on, cohort, n)
    select s.step, s.starts_on, date_trunc('week', a.registered_on::timestamp)::date, count(distinct u.organization_id)
    from (${starts}) s
    join app.usage_days u
      on u.day >= s.starts_on and u.day < (s.starts_on + ('1 ' || s.step)::interval)::date and ${activity}
    join app.activations a on a.organization_id = u.organization_id
    group by 1, 2, 3
  `.execute(tx)
}

async function sumActivations(tx: SystemTx, registeredOn: readonly string[]): Promise<void> {
  await sql`delete from app.activation_days where registered_on = any(${registeredOn}::date[])`.execute(tx)
  await sql`
    insert into app.activation_days (registered_on, registered, verified, project, installed, item, engaged)
    select registered_on, count(*), count(*) filter (where is_verified), count(*) filter (where has_project),
      count(*) filter (where is_installed), count(*) filter (where has_item), count(*) filter (where is_engaged)
    from app.activations where registered_on = any(${registeredOn}::date[]) group by registered_on
  `.execute(tx)
}

/** Every day that has sums, by organisation or over all. */
export async function listAllStale(tx: SystemTx): Promise<StaleSums> {
  const { rows } = await sql<{ days: string[]; registeredOn: string[] }>`
    select array(
        select day::text from app.usage_days union select day::text from app.instance_days
        union select starts_on::text from app.active_organizations where step = 'day') as days,
      array(
        select registered_on::text from app.activations
        union select registered_on::text from app.activation_days) as "registeredOn"
  `.execute(tx)
  return rows[0] ?? { days: [], registeredOn: [] }
}

/** Whether there are sums by organisation and none over all: after the migration that began to count. */
export async function lacksSums(tx: SystemTx): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`
    select not exists (select from app.instance_days) and exists (select from app.usage_days) as lacks
  `.execute(tx)
  return rows[0]?.lacks ?? false
}
