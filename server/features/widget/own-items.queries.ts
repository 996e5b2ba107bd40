import { sql } from 'kysely'
import type { OwnItem } from '#contract/widget.ts'
import type { SystemTx } from '#server/platform/database/database.ts'

const maxItems = 50

interface OwnItemRow extends Omit<OwnItem, 'createdAt' | 'replies'> {
  readonly createdAt: Date
  readonly replies: OwnItem['replies']
}

const toList = (value: string | undefined) => (value === undefined ? [] : [value])

/** Items sent from this browser, or by this verified visitor, with the replies that they got. A locked item is no different. */
export async function findOwnItems(
  tx: SystemTx,
  { organizationId, projectId }: { organizationId: string; projectId: string },
  by: { visitorId: string | undefined; keyHash: string | undefined },
): Promise<OwnItem[]> {
  const own = sql`
    select id, created_at from feedback
    where organization_id = ${organizationId} and project_id = ${projectId}
  `
  const newest = sql`order by created_at desc limit ${maxItems}`
  const { rows } = await sql<OwnItemRow>`
    with own as (
      (${own} and visitor_key_hash = ${by.keyHash ?? null}::bytea ${newest})
      union
      (${own} and visitor_id = ${by.visitorId ?? null} and visitor_verified ${newest})
      union
      (${own} and locked
        and id in (select app.list_locked_of(${organizationId}, ${toList(by.visitorId)}::text[], true)) ${newest})
    )
    select f.id, f.number, f.type, f.status, 
           case when f.locked then app.find_locked_excerpt(f.organization_id, f.id) else left(f.message, 280) end as excerpt,
           f.created_at as "createdAt",
           coalesce(r.replies, '[]') as replies,
           array(
             select coalesce(a.name, a.kind)
             from feedback_attachments a
             join uploads u on u.organization_id = a.organization_id and u.id = a.id and u.project_id = f.project_id
             where a.organization_id = f.organization_id and a.feedback_id = f.id and u.state = 'refused'
             order by a.position
           ) as "refusedFiles"
    from (select id from own order by created_at desc limit ${maxItems}) o
    join feedback f on f.organization_id = ${organizationId} and f.id = o.id
    left join lateral (
      select json_agg(json_build_object(
               'id', c.id, 'authorName', coalesce(nullif(p.full_name, ''), g.name), 'text', c.text,
               'createdAt', to_char(c.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
             order by c.created_at, c.id) as replies
      from feedback_comments c
      join organizations g on g.id = c.organization_id
      left join profiles p on p.user_id = c.author_user_id
      where c.organization_id = f.organization_id and c.feedback_id = f.id and c.kind = 'reply' and not c.from_visitor
    ) r on true
    order by f.created_at desc, f.id desc
  `.execute(tx)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}
