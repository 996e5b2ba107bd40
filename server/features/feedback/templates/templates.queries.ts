import { sql } from 'kysely'
import type { NewReplyTemplate, ReplyTemplate, ReplyTemplateChange } from '#contract/reply-templates.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

type TemplateRow = Row<'reply_templates', 'id' | 'name' | 'text' | 'created_at'>

const templateRows = sql`select t.id, t.name, t.text, t.created_at from reply_templates t`

/** All templates of the organisation, by name. */
export async function listTemplates(tx: TenantTx, organizationId: string): Promise<ReplyTemplate[]> {
  const { rows } = await sql<TemplateRow>`
    ${templateRows} where t.organization_id = ${organizationId} order by lower(t.name), t.created_at, t.id
  `.execute(tx)
  return rows.map(toTemplate)
}

export async function findTemplate(
  tx: TenantTx,
  organizationId: string,
  id: string,
): Promise<ReplyTemplate | undefined> {
  const { rows } = await sql<TemplateRow>`
    ${templateRows} where t.organization_id = ${organizationId} and t.id = ${id}
  `.execute(tx)
  return rows[0] && toTemplate(rows[0])
}

/** Counts the templates. Locks out other additions until the transaction ends, so that the limit holds. */
export async function countTemplates(tx: TenantTx, organizationId: string): Promise<number> {
  // In a statement of its own: a statement that waited for the lock would count from before the wait.
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`reply_templates:${organizationId}`}, 0))
  `.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from reply_templates t where t.organization_id = ${organizationId}
  `.execute(tx)
  return rows[0]?.count ?? 0
}

export async function insertTemplate(
  tx: TenantTx,
  { organizationId, id, name, text }: NewReplyTemplate & { organizationId: string },
): Promise<void> {
  await sql`
    insert into reply_templates (organization_id, id, name, text) values (${organizationId}, ${id}, ${name}, ${text})
  `.execute(tx)
}

/** Changes the given fields only. False when there is no such template. */
export async function updateTemplate(
  tx: TenantTx,
  organizationId: string,
  id: string,
  { name, text }: ReplyTemplateChange,
): Promise<boolean> {
  const { rows } = await sql`
    update reply_templates set name = ${name ?? sql`name`}, text = ${text ?? sql`text`}
    where organization_id = ${organizationId} and id = ${id} returning id
  `.execute(tx)
  return rows.length > 0
}

/** False when there is no such template. */
export async function deleteTemplate(tx: TenantTx, organizationId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from reply_templates where organization_id = ${organizationId} and id = ${id} returning id
  `.execute(tx)
  return rows.length > 0
}

function toTemplate({ id, name, text, created_at }: TemplateRow): ReplyTemplate {
  return { id, name, text, createdAt: created_at.toISOString() }
}
