import { sql } from 'kysely'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { VisitorPosition } from './visitor.cursor.ts'

/** All that is kept of one item, in the words of the API. */
export interface ExportedItem {
  readonly id: string
  readonly project: string
  readonly number: number
  readonly createdAt: string
  readonly [field: string]: unknown
}

export interface ExportedFile {
  readonly id: string
  readonly kind: string
  readonly name: string | null
  readonly mime: string | null
  readonly storageKey: string | null
}

/** One page of the items that carry a key of the visitor themselves, with their files. */
export async function listExportedItems(
  tx: TenantTx,
  organizationId: string,
  key: string,
  after: VisitorPosition | undefined,
  limit: number,
): Promise<{ item: ExportedItem; files: ExportedFile[]; position: VisitorPosition }[]> {
  const { rows } = await sql<{ item: ExportedItem; files: ExportedFile[]; position: VisitorPosition }>`
    select
      json_build_object(
        'id', f.id, 'project', p.name, 'number', f.number, 'createdAt', f.created_at, 'type', f.type,
        'source', f.source, 'status', f.status, 'priority', f.priority, 'location', f.location, 'message', f.message,
        'rating', f.rating, 'nps', f.nps, 'answers', f.fields, 'consent', f.consent, 'tags', f.tags,
        'visitorId', f.visitor_id, 'visitorVerified', f.visitor_verified, 'name', f.visitor_name,
        'email', f.visitor_email, 'pageUrl', f.page_url, 'pageTitle', f.page_title, 'context', f.context,
        'metadata', f.metadata, 'resolvedAt', f.resolved_at,
        'comments', coalesce((
          select json_agg(json_build_object('kind', c.kind, 'fromVisitor', c.from_visitor, 'solved', c.solved,
            'text', c.text, 'createdAt', c.created_at) order by c.created_at, c.id)
          from feedback_comments c where c.organization_id = f.organization_id and c.feedback_id = f.id), '[]'),
        'history', coalesce((
          select json_agg(json_build_object('field', e.field, 'from', e.from_value, 'to', e.to_value,
            'createdAt', e.created_at) order by e.created_at, e.field, e.id)
          from feedback_events e where e.organization_id = f.organization_id and e.feedback_id = f.id), '[]')
      ) as item,
      coalesce((
        select json_agg(json_build_object('id', a.id, 'kind', a.kind, 'name', coalesce(a.name, u.name), 'mime', u.mime,
          'storageKey', case when u.state in ('ready', 'processing') then u.storage_key end) order by a.position, a.id)
        from feedback_attachments a
        left join uploads u on u.organization_id = a.organization_id and u.id = a.id and u.project_id = f.project_id
        where a.organization_id = f.organization_id and a.feedback_id = f.id), '[]') as files,
      json_build_object('key', f.id,
        'at', to_char(f.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) as position
    from app.list_visitor_feedback(
      ${organizationId}, ${key}, ${after?.at ?? null}::timestamptz, ${after?.key ?? null}::uuid, ${limit}, false) as page
    join feedback f on f.organization_id = ${organizationId} and f.id = page.id
    join projects p on p.organization_id = f.organization_id and p.id = f.project_id
    order by f.created_at desc, f.id desc
  `.execute(tx)
  return rows
}
