import { sql } from 'kysely'
import type { IssueLink } from '#contract/issue-links.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'
import type { Stage } from './merge-stages.ts'
import type { CommentPair } from './sync-issue.ts'
import type { Issue } from './tracker.ts'

/** A link as its synchronisation needs it. */
export interface Link
  extends RowAs<
    'issue_links',
    {
      id: 'id'
      organizationId: 'organization_id'
      integrationId: 'integration_id'
      feedbackId: 'feedback_id'
      issueKey: 'issue_key'
      creatingSince: 'creating_since'
    }
  > {
  readonly agreed: Stage | null
  readonly agreedItem: Stage | null
  readonly intended: Stage | null
}

export async function findLink(tx: SystemTx, organizationId: string, id: string): Promise<Link | undefined> {
  const { rows } = await sql<Link>`
    select id, organization_id as "organizationId", integration_id as "integrationId", feedback_id as "feedbackId",
      issue_key as "issueKey", creating_since as "creatingSince", agreed_stage as agreed, agreed_item_stage as "agreedItem",
      intended_stage as intended
    from issue_links where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  return rows[0]
}

type Place = Pick<Link, 'organizationId' | 'id'>

/** Notes that the tracker is about to be asked for a new issue. */
export async function noteCreating(tx: SystemTx, { organizationId, id }: Place): Promise<void> {
  await sql`
    update issue_links set creating_since = coalesce(creating_since, now())
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

/**
 * Notes the issue as it is, in stages that count here.
 *
 * @param item the stage of the item that it is alike with; null: it was just created, and the item's status is not compared.
 */
export async function storeIssue(
  tx: SystemTx,
  { organizationId, id }: Place,
  { key, label, title, url, status }: Issue,
  item: Stage | null,
): Promise<void> {
  await sql`
    update issue_links set issue_key = ${key}, label = left(${label}, 300), title = left(${title}, 1000), url = ${url},
      status_name = left(${status.name}, 200), stage = ${status.stage}, state = 'linked', failure = null, synced_at = now(),
      agreed_stage = ${status.stage}, agreed_item_stage = ${item}, intended_stage = null
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

export async function noteIntended(
  tx: SystemTx,
  { organizationId, id }: Place,
  intended: Stage,
  agreed: Stage,
): Promise<void> {
  await sql`
    update issue_links set intended_stage = ${intended}, agreed_stage = ${agreed},
      agreed_item_stage = case when agreed_stage = ${agreed} then agreed_item_stage end
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

/** Notes that the issue is gone, or why it couldn't be created or read. */
export async function noteTrouble(
  tx: SystemTx,
  { organizationId, id }: Place,
  { isGone, failure }: { isGone: boolean; failure: string | null },
): Promise<void> {
  await sql`
    update issue_links set failure = ${failure},
      state = case when ${isGone} then 'gone' when issue_key is null then 'failed' else state end
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

export async function listPairs(tx: SystemTx, { organizationId, id }: Place): Promise<CommentPair[]> {
  const { rows } = await sql<CommentPair>`
    select comment_id as "noteId", remote_id as "commentId", origin from issue_comments
    where organization_id = ${organizationId} and link_id = ${id}
  `.execute(tx)
  return rows
}

export async function addPair(tx: SystemTx, { organizationId, id }: Place, pair: CommentPair): Promise<void> {
  await sql`
    insert into issue_comments (organization_id, link_id, comment_id, remote_id, origin)
    values (${organizationId}, ${id}, ${pair.noteId}, ${pair.commentId}, ${pair.origin})
    on conflict do nothing
  `.execute(tx)
}

/** Requests the synchronisation of an integration's links to issues. @returns how many links. */
export async function requestSyncsOfIssues(
  tx: SystemTx,
  {
    organizationId,
    integrationId,
    issueKeys,
  }: { organizationId: string; integrationId: string; issueKeys: readonly string[] },
): Promise<void> {
  await sql`
    select app.request_issue_syncs(${organizationId}, array_agg(id)) from issue_links
    where organization_id = ${organizationId} and integration_id = ${integrationId}
      and issue_key = any (${[...issueKeys]}::text[])
    having count(*) > 0
  `.execute(tx)
}

/** Requests the synchronisation of an integration's links of some items. */
export async function requestSyncsOfItems(
  tx: SystemTx,
  {
    organizationId,
    integrationId,
    feedbackIds,
  }: { organizationId: string; integrationId: string; feedbackIds: readonly string[] },
): Promise<void> {
  await sql`
    select app.request_issue_syncs(${organizationId}, array_agg(id)) from issue_links
    where organization_id = ${organizationId} and integration_id = ${integrationId}
      and feedback_id = any (${[...feedbackIds]}::uuid[])
    having count(*) > 0
  `.execute(tx)
}

/** Links items to issues that are to be created. Those that are linked already stay as they are. */
export async function linkNewIssues(
  tx: SystemTx | TenantTx,
  {
    organizationId,
    integrationId,
    feedbackIds,
    createdBy,
  }: {
    organizationId: string
    integrationId: string
    feedbackIds: readonly string[]
    createdBy: string | null
  },
): Promise<number> {
  const { rows } = await sql`
    insert into issue_links (organization_id, integration_id, feedback_id, created_by)
    select f.organization_id, ${integrationId}, f.id, ${createdBy} from feedback f
    where f.organization_id = ${organizationId} and f.id = any (${[...feedbackIds]}::uuid[])
    on conflict (organization_id, integration_id, feedback_id) do nothing
    returning id
  `.execute(tx)
  return rows.length
}

/** Links an item to an issue that exists. False: it is linked already. */
export async function linkIssue(
  tx: TenantTx,
  {
    organizationId,
    integrationId,
    feedbackId,
    issueKey,
    createdBy,
  }: {
    organizationId: string
    integrationId: string
    feedbackId: string
    issueKey: string
    createdBy: string
  },
): Promise<boolean> {
  const { rows } = await sql`
    insert into issue_links (organization_id, integration_id, feedback_id, issue_key, created_by)
    select f.organization_id, ${integrationId}, f.id, ${issueKey}, ${createdBy} from feedback f
    where f.organization_id = ${organizationId} and f.id = ${feedbackId}
    on conflict (organization_id, integration_id, feedback_id) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** Notes a call of a tracker. False: it was received before. */
export async function noteHook(
  tx: SystemTx,
  { organizationId, integrationId, hookId }: { organizationId: string; integrationId: string; hookId: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into tracker_hooks (organization_id, integration_id, hook_id)
    values (${organizationId}, ${integrationId}, ${hookId})
    on conflict do nothing
    returning hook_id
  `.execute(tx)
  return rows.length > 0
}

/** Without row locks: these need the right to update, which nothing has here. One process at a time runs the job. */
export async function deleteOldHooks(tx: SystemTx, { days, limit }: { days: number; limit: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from tracker_hooks h using (
      select organization_id, integration_id, hook_id from tracker_hooks
      where received_at < now() - make_interval(days => ${days}) order by received_at limit ${limit}) old
    where h.organization_id = old.organization_id and h.integration_id = old.integration_id and h.hook_id = old.hook_id
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function hasItem(tx: TenantTx, organizationId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from feedback where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  return rows.length > 0
}

interface LinkRow
  extends RowAs<
    'issue_links',
    {
      id: 'id'
      integrationId: 'integration_id'
      label: 'label'
      title: 'title'
      url: 'url'
      status: 'status_name'
      failure: 'failure'
      syncedAt: 'synced_at'
      stage: 'stage'
    }
  > {
  readonly type: string
  readonly state: IssueLink['state']
}

const linkRows = sql`
  select l.id, l.integration_id as "integrationId", i.type, l.state, l.label, l.title, l.url, l.status_name as status,
    l.stage, l.failure, l.synced_at as "syncedAt"
  from issue_links l
  join integrations i on i.organization_id = l.organization_id and i.id = l.integration_id
`

function toLink({ stage, syncedAt, ...row }: LinkRow): IssueLink {
  return { ...row, isDone: stage === 'done' || stage === 'dropped', syncedAt: syncedAt?.toISOString() ?? null }
}

/** Links of an item, oldest first. */
export async function listLinks(
  tx: TenantTx,
  { organizationId, feedbackId }: { organizationId: string; feedbackId: string },
): Promise<IssueLink[]> {
  const { rows } = await sql<LinkRow>`
    ${linkRows} where l.organization_id = ${organizationId} and l.feedback_id = ${feedbackId}
    order by l.created_at, l.id
  `.execute(tx)
  return rows.map(toLink)
}

/** The link of an item to an issue of that integration. */
export async function findLinkOf(
  tx: TenantTx,
  { organizationId, feedbackId, integrationId }: { organizationId: string; feedbackId: string; integrationId: string },
): Promise<IssueLink | undefined> {
  const { rows } = await sql<LinkRow>`
    ${linkRows}
    where l.organization_id = ${organizationId} and l.feedback_id = ${feedbackId} and l.integration_id = ${integrationId}
  `.execute(tx)
  return rows[0] && toLink(rows[0])
}

export async function unlinkIssue(
  tx: TenantTx,
  { organizationId, feedbackId }: { organizationId: string; feedbackId: string },
  linkId: string,
): Promise<boolean> {
  const { rows } = await sql`
    delete from issue_links
    where organization_id = ${organizationId} and feedback_id = ${feedbackId} and id = ${linkId}
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** A connected tracker, as members, agents and keys select it for an issue. */
export interface TrackerRow
  extends RowAs<'integrations', { id: 'id'; type: 'type'; name: 'name'; account: 'account' }> {
  readonly state: 'active' | 'paused' | 'disabled'
  readonly settings: Readonly<Record<string, unknown>>
}

const trackerRows = sql`
  select id, type, name, account, state, settings from integrations
`

export async function listTrackers(tx: TenantTx, organizationId: string): Promise<TrackerRow[]> {
  const { rows } = await sql<TrackerRow>`
    ${trackerRows} where organization_id = ${organizationId} and is_tracker order by name, id
  `.execute(tx)
  return rows
}

export async function findTracker(tx: TenantTx, organizationId: string, id: string): Promise<TrackerRow | undefined> {
  const { rows } = await sql<TrackerRow>`
    ${trackerRows} where organization_id = ${organizationId} and id = ${id} and is_tracker
  `.execute(tx)
  return rows[0]
}

/** A tracker's integration, for calls from outside and for asking it what has changed. Undefined: none is active. */
export interface TrackerConnection
  extends RowAs<
    'integrations',
    { organizationId: 'organization_id'; id: 'id'; type: 'type'; secrets: 'secrets'; polledUntil: 'polled_until' }
  > {
  readonly settings: Readonly<Record<string, unknown>>
}

const connectionRows = sql`
  select organization_id as "organizationId", id, type, secrets, settings, polled_until as "polledUntil" from integrations
`

export async function findTrackerConnection(
  tx: SystemTx,
  organizationId: string,
  id: string,
): Promise<TrackerConnection | undefined> {
  const { rows } = await sql<TrackerConnection>`
    ${connectionRows}
    where organization_id = ${organizationId} and id = ${id} and is_tracker and state = 'active'
      and app.is_open_organization(organization_id)
  `.execute(tx)
  return rows[0]
}

/** Takes trackers that have links and were not asked for so many seconds, longest ago first, and notes the time. */
export async function takeTrackersToPoll(
  tx: SystemTx,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<TrackerConnection[]> {
  const { rows } = await sql<TrackerConnection>`
    with due as materialized (
      select i.organization_id, i.id from integrations i
      where i.is_tracker and i.state = 'active'
        and (i.polled_at is null or i.polled_at < now() - make_interval(secs => ${seconds}))
        and app.is_open_organization(i.organization_id)
        and exists (
          select from issue_links l where l.organization_id = i.organization_id and l.integration_id = i.id)
      order by i.polled_at nulls first limit ${limit} for no key update skip locked
    )
    update integrations i set polled_at = now() from due d
    where i.organization_id = d.organization_id and i.id = d.id
    returning i.organization_id as "organizationId", i.id, i.type, i.secrets, i.settings, i.polled_until as "polledUntil"
  `.execute(tx)
  return rows
}

/** Notes up to when changes were asked for. */
export async function notePolled(
  tx: SystemTx,
  { organizationId, id }: { organizationId: string; id: string },
  until: Date,
): Promise<void> {
  await sql`
    update integrations set polled_until = ${until} where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

/** The tracker is not asked for changes for so long. */
export async function restFromPolling(
  tx: SystemTx,
  { organizationId, id }: { organizationId: string; id: string },
  seconds: number,
): Promise<void> {
  await sql`
    update integrations set polled_at = now() + make_interval(secs => ${seconds})
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}
