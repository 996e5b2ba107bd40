import { sql } from 'kysely'
import type { Coupon } from '#contract/coupons.ts'
import type { SystemTx } from '#server/platform/database/database.ts'

/** Writes into the audit log of the instance what the present request does to a coupon, and by whom. */
export async function writeCouponEntry(
  tx: SystemTx,
  action: 'coupon.created' | 'coupon.deactivated',
  { code, ...facts }: Partial<Coupon> & Pick<Coupon, 'code'>,
): Promise<void> {
  await sql`
    insert into audit_log (organization_id, actor_kind, actor_user_id, actor_name, action, category, target_type,
      target_name, after, ip, user_agent, request_id)
    select '00000000-0000-0000-0000-000000000000', 'superadmin', (o.origin ->> 'userId')::uuid,
      coalesce(nullif(p.full_name, ''), p.email), ${action}, 'superadmin', 'coupon', ${code},
      ${JSON.stringify(facts)}::jsonb, (o.origin ->> 'ip')::inet, o.origin ->> 'userAgent', o.origin ->> 'requestId'
    from (select coalesce(nullif(current_setting('app.origin', true), ''), '{}')::jsonb as origin) o
    left join profiles p on p.user_id = (o.origin ->> 'userId')::uuid
  `.execute(tx)
}
