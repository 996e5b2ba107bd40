import { sql } from 'kysely'
import type { PictureGap } from '#contract/files.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Outer, Row, RowAs } from '#server/platform/database/row.ts'

export type UploadState = 'receiving' | 'processing' | 'ready' | 'refused'

/** A file of a project: what is known of it, wherever its bytes lie. */
export interface Upload
  extends Readonly<
    RowAs<
      'uploads',
      {
        organizationId: 'organization_id'
        id: 'id'
        projectId: 'project_id'
        state: 'state'
        kind: 'kind'
        name: 'name'
        /** Length of the whole; null while the sender does not know it. */
        declaredBytes: 'declared_bytes'
        bytes: 'bytes'
        storageKey: 'storage_key'
        mime: 'mime'
        playbackKey: 'playback_key'
        posterKey: 'poster_key'
      }
    >
  > {}

const uploadColumns = sql`
  organization_id as "organizationId", id, project_id as "projectId", state, kind, name,
  declared_bytes as "declaredBytes", bytes, storage_key as "storageKey", mime, playback_key as "playbackKey",
  poster_key as "posterKey"
`

export async function findUpload(tx: SystemTx, organizationId: string, id: string): Promise<Upload | undefined> {
  const { rows } = await sql<Upload>`
    select ${uploadColumns} from uploads where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  return rows[0]
}

/** By where its bytes lie; undefined while the organisation is closed. */
export async function findStoredUpload(
  tx: SystemTx,
  organizationId: string,
  storageKey: string,
): Promise<Upload | undefined> {
  const { rows } = await sql<Upload>`
    select ${uploadColumns} from uploads
    where organization_id = ${organizationId} and storage_key = ${storageKey} and app.is_open_organization(organization_id)
  `.execute(tx)
  return rows[0]
}

export type NewUpload = Pick<
  Upload,
  'organizationId' | 'id' | 'projectId' | 'kind' | 'name' | 'declaredBytes' | 'storageKey'
> & { readonly declaredMime: string | null }

/** @returns false when the id is taken, or when the project is gone. */
export async function insertUpload(tx: SystemTx, upload: NewUpload): Promise<boolean> {
  const { rows } = await sql`
    insert into uploads (organization_id, id, project_id, kind, name, declared_mime, declared_bytes, storage_key)
    select p.organization_id, ${upload.id}, p.id, ${upload.kind}, ${upload.name}, ${upload.declaredMime},
      ${upload.declaredBytes}::bigint, ${upload.storageKey}
    from projects p
    where p.organization_id = ${upload.organizationId} and p.id = ${upload.projectId}
    on conflict (organization_id, id) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0
}

type UploadName = Pick<Upload, 'organizationId' | 'id'>

export async function setReceivedBytes(tx: SystemTx, { organizationId, id }: UploadName, bytes: number): Promise<void> {
  await sql`
    update uploads set bytes = ${bytes} where organization_id = ${organizationId} and id = ${id} and state = 'receiving'
  `.execute(tx)
}

export async function setDeclaredBytes(tx: SystemTx, { organizationId, id }: UploadName, bytes: number): Promise<void> {
  await sql`
    update uploads set declared_bytes = ${bytes}
    where organization_id = ${organizationId} and id = ${id} and state = 'receiving' and declared_bytes is null
  `.execute(tx)
}

/** All of it is here: what follows is a job. Once only, however often it is said. */
export async function completeUpload(tx: SystemTx, { organizationId, id }: UploadName, bytes: number): Promise<void> {
  await sql`
    with completed as (
      update uploads set state = 'processing', bytes = ${bytes}, completed_at = now()
      where organization_id = ${organizationId} and id = ${id} and state = 'receiving'
      returning organization_id, id
    )
    select app.enqueue_job('process_upload', json_build_object('organizationId', organization_id, 'id', id))
    from completed
  `.execute(tx)
}

/** Deletes what a visitor discards. Its bytes follow by a job. */
export async function deleteUnclaimedUpload(
  tx: SystemTx,
  { organizationId, id }: UploadName,
): Promise<'deleted' | 'claimed'> {
  const { rows } = await sql`
    delete from uploads u
    where u.organization_id = ${organizationId} and u.id = ${id}
      and not exists (
        select from feedback_attachments a where a.organization_id = u.organization_id and a.id = u.id)
      and not exists (
        select from app.locked_files l where l.organization_id = u.organization_id and l.id = u.id)
    returning u.id
  `.execute(tx)
  return rows.length > 0 ? 'deleted' : 'claimed'
}

/** Facts about a file, and its derived files. */
export interface Findings {
  readonly state: Exclude<UploadState, 'receiving'>
  readonly mime?: string | null
  readonly note?: string | null
  readonly width?: number | null
  readonly height?: number | null
  readonly durationMs?: number | null
  readonly waveform?: readonly number[] | null
  readonly playbackKey?: string | null
  readonly posterKey?: string | null
  /** Bytes of both together. */
  readonly derivedBytes?: number
}

/**
 * Writes down what was found, of a file that has arrived and was not refused.
 *
 * @returns false when there is no such file any more: what was made of it must go.
 */
export async function storeFindings(
  tx: SystemTx,
  { organizationId, id }: UploadName,
  findings: Findings,
): Promise<boolean> {
  const { rows } = await sql`
    update uploads
    set state = ${findings.state},
        mime = coalesce(${findings.mime ?? null}, mime),
        note = coalesce(${findings.note ?? null}, note),
        width = coalesce(${findings.width ?? null}::integer, width),
        height = coalesce(${findings.height ?? null}::integer, height),
        duration_ms = coalesce(${findings.durationMs ?? null}::integer, duration_ms),
        waveform = coalesce(${findings.waveform ? [...findings.waveform] : null}::smallint[], waveform),
        playback_key = coalesce(${findings.playbackKey ?? null}, playback_key),
        poster_key = coalesce(${findings.posterKey ?? null}, poster_key),
        derived_bytes = coalesce(${findings.derivedBytes ?? null}::bigint, derived_bytes)
    where organization_id = ${organizationId} and id = ${id} and state in ('processing', 'ready')
    returning id
  `.execute(tx)
  return rows.length > 0
}

export async function enqueueConversion(tx: SystemTx, { organizationId, id }: UploadName): Promise<void> {
  await sql`
    select app.enqueue_job('convert_media', json_build_object('organizationId', ${organizationId}::uuid, 'id', ${id}::uuid))
  `.execute(tx)
}

/** The item that claims a file. */
export async function findClaimingFeedback(
  tx: SystemTx,
  { organizationId, id }: UploadName,
): Promise<string | undefined> {
  const { rows } = await sql<Row<'feedback_attachments', 'feedback_id'>>`
    select feedback_id from feedback_attachments where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  return rows[0]?.feedback_id
}

export interface AttachmentRow
  extends Readonly<
      RowAs<
        'feedback_attachments',
        { feedbackId: 'feedback_id'; id: 'id'; kind: 'kind'; createdAt: 'created_at'; annotates: 'annotates' }
      >
    >,
    Readonly<
      Outer<
        RowAs<
          'uploads',
          {
            name: 'name'
            state: 'state'
            note: 'note'
            mime: 'mime'
            bytes: 'bytes'
            width: 'width'
            height: 'height'
            durationMs: 'duration_ms'
            waveform: 'waveform'
            storageKey: 'storage_key'
            playbackKey: 'playback_key'
            posterKey: 'poster_key'
          }
        >
      >
    > {
  readonly missing: PictureGap[]
  readonly addedByName: string | null
}

/** Attachments of some items, in their order within each. Of a file's rows only that of the item's own project counts. */
export async function listAttachmentRows(
  tx: TenantTx | SystemTx,
  organizationId: string,
  feedbackIds: readonly string[],
): Promise<AttachmentRow[]> {
  const { rows } = await sql<AttachmentRow>`
    select a.feedback_id as "feedbackId", a.id, a.kind, coalesce(a.name, u.name) as name, u.state, u.note, u.mime,
      u.bytes, u.width, u.height, coalesce(u.duration_ms, a.duration_ms) as "durationMs", a.missing, u.waveform,
      u.storage_key as "storageKey", u.playback_key as "playbackKey", u.poster_key as "posterKey",
      a.created_at as "createdAt", a.annotates, coalesce(nullif(p.full_name, ''), p.email) as "addedByName"
    from feedback_attachments a
    join feedback f on f.organization_id = a.organization_id and f.id = a.feedback_id
    left join uploads u
      on u.organization_id = a.organization_id and u.id = a.id and u.project_id = f.project_id
    left join profiles p on p.user_id = a.added_by
    where a.organization_id = ${organizationId} and a.feedback_id = any (${[...feedbackIds]}::uuid[])
    order by a.feedback_id, a.position, a.id
  `.execute(tx)
  return rows
}
