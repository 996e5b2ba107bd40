import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'

/** An item and one of its files, as far as annotating needs them. */
export interface AnnotatableItem {
  readonly projectId: string
  readonly isInTrash: boolean
  /** Annotated pictures that it has. */
  readonly annotations: number
  /** Name of the picture; undefined: the item has no such picture, or not yet. */
  readonly picture: { readonly name: string | null } | undefined
}

/** @returns undefined for an item that the person of `tx` cannot see. */
export async function findAnnotatable(
  tx: TenantTx,
  { organizationId, feedbackId, of }: { organizationId: string; feedbackId: string; of: string },
): Promise<AnnotatableItem | undefined> {
  const { rows } = await sql<Omit<AnnotatableItem, 'picture'> & { name: string | null; isPicture: boolean }>`
    select f.project_id as "projectId", f.deleted_at is not null as "isInTrash", coalesce(a.name, u.name) as name,
      coalesce(u.state = 'ready' and u.mime like 'image/%', false) as "isPicture",
      (select count(*) from feedback_attachments n
        where n.organization_id = f.organization_id and n.feedback_id = f.id and n.annotates is not null) as annotations
    from feedback f
    left join feedback_attachments a on a.organization_id = f.organization_id and a.feedback_id = f.id and a.id = ${of}
    left join uploads u on u.organization_id = a.organization_id and u.id = a.id and u.project_id = f.project_id
    where f.organization_id = ${organizationId} and f.id = ${feedbackId}
  `.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { projectId, isInTrash, annotations, name, isPicture } = row
  return { projectId, isInTrash, annotations, picture: isPicture ? { name } : undefined }
}

export interface Annotation {
  readonly organizationId: string
  readonly feedbackId: string
  readonly id: string
  readonly of: string
}

/** Whether the annotation is already attached, with the same picture under it. */
export async function isAnnotation(tx: SystemTx, { organizationId, feedbackId, id, of }: Annotation): Promise<boolean> {
  const { rows } = await sql`
    select from feedback_attachments
    where organization_id = ${organizationId} and id = ${id} and feedback_id = ${feedbackId} and annotates = ${of}
  `.execute(tx)
  return rows.length > 0
}

/**
 * Attaches a received file to its item as the last of its files, and records it in the history.
 *
 * @returns false when the file is no longer there: another request under the same id took its place.
 */
export async function attachAnnotation(
  tx: SystemTx,
  { organizationId, feedbackId, id, of }: Annotation,
  { storageKey, name, addedBy }: { storageKey: string; name: string; addedBy: string },
): Promise<boolean> {
  const { rows } = await sql`
    with attached as (
      insert into feedback_attachments (organization_id, id, feedback_id, kind, name, position, annotates, added_by)
      select u.organization_id, u.id, ${feedbackId}, 'screenshot', ${name},
        least(99, 1 + coalesce((select max(a.position) from feedback_attachments a
          where a.organization_id = u.organization_id and a.feedback_id = ${feedbackId}), -1)), ${of}, ${addedBy}
      from uploads u
      where u.organization_id = ${organizationId} and u.id = ${id} and u.storage_key = ${storageKey}
      on conflict (organization_id, id) do nothing
      returning organization_id, feedback_id, name
    )
    insert into feedback_events (organization_id, feedback_id, actor_user_id, field, to_value)
    select organization_id, feedback_id, ${addedBy}, 'annotation', name from attached
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** Deletes an annotation; its file and bytes follow. Other files of the item are left alone. */
export async function removeAnnotation(
  tx: SystemTx,
  { organizationId, feedbackId, id }: Omit<Annotation, 'of'>,
  removedBy: string,
): Promise<boolean> {
  const { rows } = await sql`
    with removed as (
      delete from feedback_attachments
      where organization_id = ${organizationId} and id = ${id} and feedback_id = ${feedbackId} and annotates is not null
      returning organization_id, feedback_id, name
    )
    insert into feedback_events (organization_id, feedback_id, actor_user_id, field, from_value)
    select organization_id, feedback_id, ${removedBy}, 'annotation', name from removed
    returning id
  `.execute(tx)
  return rows.length > 0
}

export async function isVisibleItem(tx: TenantTx, organizationId: string, feedbackId: string): Promise<boolean> {
  const { rows } = await sql`
    select from feedback where organization_id = ${organizationId} and id = ${feedbackId}
  `.execute(tx)
  return rows.length > 0
}
