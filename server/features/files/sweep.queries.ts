import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

/** Deletes files that nothing has claimed for so long; their bytes follow by a job. */
export async function deleteUnclaimedUploads(tx: SystemTx, keepHours: number, limit: number): Promise<number> {
  const { rows } = await sql<{ unclaimed: boolean }>`
    with old as materialized (
      select u.organization_id, u.id,
        not exists (
          select from feedback_attachments a
          join feedback f on f.organization_id = a.organization_id and f.id = a.feedback_id
          where a.organization_id = u.organization_id and a.id = u.id and f.project_id = u.project_id)
        and not exists (
          select from app.locked_files l
          join feedback f on f.organization_id = l.organization_id and f.id = l.feedback_id
          where l.organization_id = u.organization_id and l.id = u.id and f.project_id = u.project_id) as unclaimed
      from uploads u
      where not u.is_claimed and u.created_at < now() - make_interval(hours => ${keepHours})
      order by u.created_at
      limit ${limit}
      for update of u skip locked
    ),
    kept as (
      update uploads u set is_claimed = true from old
      where not old.unclaimed and u.organization_id = old.organization_id and u.id = old.id
    ),
    deleted as (
      delete from uploads u using old
      where old.unclaimed and u.organization_id = old.organization_id and u.id = old.id
    )
    select unclaimed from old
  `.execute(tx)
  return rows.length
}

/**
 * Ends the waiting for files that will not come whole any more. What arrived of a recording is worth seeing; half of
 * anything else is not.
 */
export async function endUnfinishedUploads(tx: SystemTx, waitDays: number, limit: number): Promise<number> {
  const { rows } = await sql`
    with ended as (
      update uploads u
      set state = case when i.is_usable then 'processing' else 'refused' end,
          completed_at = now(),
          note = case
            when i.is_whole then null
            when i.is_usable then 'Only the beginning of it arrived.'
            else 'It never arrived whole.'
          end
      from (
        select organization_id, id, bytes = declared_bytes as is_whole,
          coalesce(bytes = declared_bytes, false) or bytes > 0 and kind in ('voice', 'screen') as is_usable
        from uploads
        where state = 'receiving' and created_at < now() - make_interval(days => ${waitDays})
        order by created_at
        limit ${limit}
        for update skip locked
      ) as i
      where u.organization_id = i.organization_id and u.id = i.id
      returning u.organization_id, u.id
    )
    select app.enqueue_job('process_upload', json_build_object('organizationId', organization_id, 'id', id)) from ended
  `.execute(tx)
  return rows.length
}

/** Ends the waiting for jobs that were given up: what can be shown as it is, is shown. */
export async function endStuckUploads(tx: SystemTx, waitDays: number): Promise<void> {
  await sql`
    update uploads
    set state = case when mime is null then 'refused' else 'ready' end,
        note = case when mime is null then 'It could not be looked at.' else 'As recorded; it could not be converted.' end
    where state = 'processing' and completed_at < now() - make_interval(days => ${waitDays})
  `.execute(tx)
}

/** Files that are to be removed, those that wait longest first. None while a backup runs, which may have read their rows. */
export async function listRemovedFiles(tx: SystemTx, limit: number): Promise<string[]> {
  const { rows } = await sql<Row<'app.removed_files', 'storage_key'>>`
    select storage_key from app.removed_files where not app.is_backup_running() order by removed_at limit ${limit}
  `.execute(tx)
  return rows.map((row) => row.storage_key)
}

/** Their bytes are gone. */
export async function forgetRemovedFiles(tx: SystemTx, storageKeys: readonly string[]): Promise<void> {
  await sql`delete from app.removed_files where storage_key = any (${[...storageKeys]}::text[])`.execute(tx)
}

/** Those of the files in the storage that no row knows. None while a backup runs, which may have read their rows. */
export async function findOrphans(tx: SystemTx, storageKeys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select s.key from unnest(${[...storageKeys]}::text[]) as s (key)
    where not exists (select from uploads u where u.storage_key = s.key)
      and not exists (select from exports e where e.storage_key = s.key)
      and not exists (select from imports i where i.storage_key = s.key)
      and not exists (select from blog_pictures p where p.storage_key = s.key)
      and not exists (select from app.removed_files r where r.storage_key = s.key)
      and not app.is_backup_running()
  `.execute(tx)
  return rows.map((row) => row.key)
}
