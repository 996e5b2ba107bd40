import { sql } from 'kysely'
import type { ThresholdChange } from '#contract/superadmin-monitoring.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'
import type { OpenAlert } from './judge-figure.ts'

type ThresholdRow = Row<'app.monitor_thresholds', 'figure' | 'minutes'> &
  RowAs<'app.monitor_thresholds', { limit: 'limit_value'; isEnabled: 'is_enabled' }>

/** Thresholds that a superadmin changed. */
export async function listChangedThresholds(tx: SystemTx): Promise<ThresholdRow[]> {
  const { rows } = await sql<ThresholdRow>`
    select figure, limit_value as "limit", minutes, is_enabled as "isEnabled" from app.monitor_thresholds
  `.execute(tx)
  return rows
}

export async function saveThreshold(tx: SystemTx, figure: string, threshold: ThresholdChange): Promise<void> {
  const { limit, minutes, isEnabled } = threshold
  await sql`
    insert into app.monitor_thresholds (figure, limit_value, minutes, is_enabled)
    values (${figure}, ${limit}, ${minutes}, ${isEnabled})
    on conflict (figure) do update
    set limit_value = excluded.limit_value, minutes = excluded.minutes, is_enabled = excluded.is_enabled
  `.execute(tx)
}

export async function deleteThreshold(tx: SystemTx, figure: string): Promise<void> {
  await sql`delete from app.monitor_thresholds where figure = ${figure}`.execute(tx)
}

const alertColumns = sql`
  figure, crossed_at as "crossedAt", alerted_at as "alertedAt", recovering_since as "recoveringSince",
  worst_value as "worstValue"`

type AlertRow = OpenAlert & Row<'app.monitor_alerts', 'figure'>

export async function listOpenAlerts(tx: SystemTx): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select ${alertColumns} from app.monitor_alerts where ended_at is null
  `.execute(tx)
  return rows
}

export async function saveAlert(tx: SystemTx, figure: string, alert: OpenAlert): Promise<void> {
  const { crossedAt, alertedAt, recoveringSince, worstValue } = alert
  await sql`
    insert into app.monitor_alerts (figure, crossed_at, alerted_at, recovering_since, worst_value)
    values (${figure}, ${crossedAt}, ${alertedAt}, ${recoveringSince}, ${worstValue})
    on conflict (figure) where ended_at is null do update
    set alerted_at = excluded.alerted_at, recovering_since = excluded.recovering_since, worst_value = excluded.worst_value
  `.execute(tx)
}

export async function endAlert(tx: SystemTx, figure: string, minute: Date): Promise<void> {
  await sql`
    update app.monitor_alerts set ended_at = ${minute} where figure = ${figure} and ended_at is null
  `.execute(tx)
}

/** Deletes one that ended before anyone was told. */
export async function forgetAlert(tx: SystemTx, figure: string): Promise<void> {
  await sql`delete from app.monitor_alerts where figure = ${figure} and ended_at is null`.execute(tx)
}

export async function listAlerts(tx: SystemTx, limit: number) {
  const { rows } = await sql<AlertRow & Row<'app.monitor_alerts', 'id'> & { endedAt: Date | null }>`
    select id, ${alertColumns}, ended_at as "endedAt" from app.monitor_alerts
    order by ended_at is not null, coalesce(ended_at, crossed_at) desc, id limit ${limit}
  `.execute(tx)
  return rows
}

/** Addresses of all superadmins who can get emails. */
export async function listSuperadminEmails(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select a.email from app.superadmins s cross join lateral app.find_mailable(s.user_id) as a (email) order by 1
  `.execute(tx)
  return rows.map(({ email }) => email)
}
