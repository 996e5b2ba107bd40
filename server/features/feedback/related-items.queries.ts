import { sql } from 'kysely'
import type { RelatedItem } from '#contract/feedback.ts'
import type { SimilarItem } from '#contract/merge.ts'
import type { TenantTx } from '#server/platform/database/database.ts'

type RelatedRow = Omit<RelatedItem, 'createdAt'> & { createdAt: Date }

const maxDuplicates = 100

const relatedColumns = sql`
  f.id, f.number, f.type, f.status, f.location, left(f.message, 280) as excerpt, f.visitor_name as "visitorName",
  f.visitor_email as "visitorEmail", f.created_at as "createdAt"
`

/** The item that an item is merged into, and its duplicates. */
export async function findRelatives(
  tx: TenantTx,
  organizationId: string,
  { id, mergedInto }: { id: string; mergedInto: string | null },
): Promise<{ original: RelatedItem | null; duplicates: RelatedItem[] }> {
  const { rows } = await sql<RelatedRow>`
    (select ${relatedColumns} from feedback f where f.organization_id = ${organizationId} and f.id = ${mergedInto}::uuid)
    union all
    (select ${relatedColumns} from feedback f
     where f.organization_id = ${organizationId} and f.merged_into = ${id} and f.deleted_at is null
     order by f.created_at desc, f.id desc limit ${maxDuplicates})
  `.execute(tx)
  const items = rows.map(toRelated)
  return {
    original: items.find((item) => item.id === mergedInto) ?? null,
    duplicates: items.filter((item) => item.id !== mergedInto),
  }
}

/** Similar items of the same project, most similar first; undefined when the item does not exist. */
export async function findSimilar(
  tx: TenantTx,
  organizationId: string,
  feedbackId: string,
  limit: number,
): Promise<SimilarItem[] | undefined> {
  const { rows } = await sql<RelatedRow & { likeness: number }>`
    select ${relatedColumns}, s.likeness
    from app.find_similar_feedback(${organizationId}, ${feedbackId}, ${limit}) s
    join feedback f on f.organization_id = ${organizationId} and f.id = s.id
    order by s.likeness desc, f.id desc
  `.execute(tx)
  if (rows.length > 0) return rows.map((row) => ({ ...toRelated(row), likeness: row.likeness }))
  const { rows: own } = await sql`
    select from feedback where organization_id = ${organizationId} and id = ${feedbackId}`.execute(tx)
  return own.length > 0 ? [] : undefined
}

function toRelated<Row extends RelatedRow>(row: Row): RelatedItem {
  const { id, number, type, status, location, excerpt, visitorName, visitorEmail, createdAt } = row
  return {
    id,
    number,
    type,
    status,
    location,
    excerpt,
    visitorName,
    visitorEmail,
    createdAt: createdAt.toISOString(),
  }
}
