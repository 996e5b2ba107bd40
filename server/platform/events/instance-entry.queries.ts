import { sql } from 'kysely'
import type { SystemTx } from '../database/database.ts'

interface InstanceEntry {
  /** `<noun>.<what happened>`. */
  readonly action: string
  readonly targetType: string
  readonly targetId?: string
  readonly targetName: string
  readonly after: Readonly<Record<string, unknown>>
  readonly impersonationId?: string
}

/**
 * Writes into the audit log of the instance what the present request of a superadmin does, and who makes it. Outside of
 * requests, it is the act of a command or job.
 */
export async function writeInstanceEntry(tx: SystemTx, entry: InstanceEntry): Promise<void> {
  const { action, targetType, targetId = null, targetName, after, impersonationId = null } = entry
  await sql`
    insert into audit_log (organization_id, actor_kind, actor_user_id, actor_name, action, category, target_type,
      target_id, target_name, after, ip, user_agent, request_id, cause,
      impersonation_id)
    select '00000000-0000-0000-0000-000000000000',
      case when o.origin ->> 'userId' is null then 'system' else 'superadmin' end, (o.origin ->> 'userId')::uuid,
      coalesce(nullif(p.full_name, ''), p.email), ${action}, 'superadmin', ${targetType}, ${targetId}::uuid, ${targetName},
      ${JSON.stringify(after)}::jsonb, (o.origin ->> 'ip')::inet, o.origin ->> 'userAgent', o.origin ->> 'requestId',
      o.origin ->> 'job', ${impersonationId}::uuid
    from (select coalesce(nullif(current_setting('app.origin', true), ''), '{}')::jsonb as origin) o
    left join profiles p on p.user_id = (o.origin ->> 'userId')::uuid
  `.execute(tx)
}
