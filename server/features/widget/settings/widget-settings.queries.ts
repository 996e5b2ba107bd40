import { sql } from 'kysely'
import type { WidgetSettings } from '#contract/widget-settings.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Refined, RowAs } from '#server/platform/database/row.ts'

/** A widget with its draft, as it is stored. */
export interface StoredWidget
  extends Readonly<
    RowAs<
      'widgets',
      {
        key: 'key'
        draftToken: 'draft_token'
        publishedAt: 'published_at'
        identityGeneration: 'identity_generation'
      }
    >
  > {
  readonly settings: Refined<'widgets', 'settings', Record<string, unknown>>
  readonly draft: Refined<'widgets', 'draft', Record<string, unknown>>
  /** Name of who published it. */
  readonly publishedBy: string | null
  readonly canUndo: boolean
}

/** @param lock whether other changes of this widget wait until the transaction ends. */
export async function findStoredWidget(
  tx: TenantTx,
  organizationId: string,
  projectId: string,
  lock = false,
): Promise<StoredWidget | undefined> {
  if (lock) {
    await sql`
      select from widgets where organization_id = ${organizationId} and project_id = ${projectId} for update
    `.execute(tx)
  }
  const { rows } = await sql<StoredWidget>`
    select w.key, w.settings, w.draft, w.draft_token as "draftToken", w.published_at as "publishedAt",
           coalesce(nullif(p.full_name, ''), p.email) as "publishedBy", w.identity_generation as "identityGeneration",
           exists (
             select from widget_versions v where v.organization_id = w.organization_id and v.project_id = w.project_id
           ) as "canUndo"
    from widgets w
    left join profiles p on p.user_id = w.published_by
    where w.organization_id = ${organizationId} and w.project_id = ${projectId}
  `.execute(tx)
  return rows[0]
}

export async function setDraft(
  tx: TenantTx,
  organizationId: string,
  projectId: string,
  draft: { settings: WidgetSettings; token: string } | null,
): Promise<void> {
  await sql`
    update widgets
    set draft = ${draft && JSON.stringify(draft.settings)}::jsonb, draft_token = ${draft?.token ?? null}
    where organization_id = ${organizationId} and project_id = ${projectId}
  `.execute(tx)
}

/** Gives the draft to visitors and keeps what they had before. Needs a draft. */
export async function publishDraft(
  tx: TenantTx,
  organizationId: string,
  projectId: string,
  actorUserId: string,
): Promise<void> {
  await sql`
    insert into widget_versions (organization_id, project_id, settings, published_at, published_by)
    select organization_id, project_id, settings, published_at, published_by from widgets
    where organization_id = ${organizationId} and project_id = ${projectId}
  `.execute(tx)
  await sql`
    update widgets
    set settings = draft, draft = null, draft_token = null, published_at = now(), published_by = ${actorUserId}
    where organization_id = ${organizationId} and project_id = ${projectId}
  `.execute(tx)
}

/**
 * Gives visitors what they had before; what they have now becomes the draft, where there is none.
 *
 * @returns false when nothing was published before.
 */
export async function restorePrevious(
  tx: TenantTx,
  organizationId: string,
  projectId: string,
  draftToken: string,
): Promise<boolean> {
  const { rows } = await sql`
    with previous as (
      delete from widget_versions v
      where v.organization_id = ${organizationId} and v.id = (
        select id from widget_versions
        where organization_id = ${organizationId} and project_id = ${projectId}
        order by replaced_at desc, id desc limit 1)
      returning v.settings, v.published_at, v.published_by
    )
    update widgets w
    set settings = p.settings, published_at = p.published_at, published_by = p.published_by,
        -- A member's unfinished draft stays: it is worth more than a copy of the undone version.
        draft = coalesce(w.draft, w.settings), draft_token = coalesce(w.draft_token, ${draftToken})
    from previous p
    where w.organization_id = ${organizationId} and w.project_id = ${projectId}
    returning w.key
  `.execute(tx)
  return rows.length > 0
}

export async function raiseIdentityGeneration(
  tx: TenantTx,
  organizationId: string,
  projectId: string,
): Promise<number | undefined> {
  const { rows } = await sql<RowAs<'widgets', { generation: 'identity_generation' }>>`
    update widgets set identity_generation = identity_generation + 1
    where organization_id = ${organizationId} and project_id = ${projectId}
    returning identity_generation as generation
  `.execute(tx)
  return rows[0]?.generation
}
