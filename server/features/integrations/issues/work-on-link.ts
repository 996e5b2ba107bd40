import { v5 as uuidV5 } from 'uuid'
import type { FeedbackStatus } from '#contract/feedback.ts'
import type { IssueMapping } from '#contract/issue-mapping.ts'
import { createStageMap } from '#contract/stage-map.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { DeliveredItems } from '../../feedback/delivered-items.service.ts'
import type { TrackedItems } from '../../feedback/tracked-items.service.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { findAssignee } from '../member-emails.queries.ts'
import { writeFields } from './issue-fields.ts'
import {
  addPair,
  findLink,
  type Link,
  listPairs,
  noteCreating,
  noteIntended,
  noteTrouble,
  storeIssue,
} from './links.queries.ts'
import { markComment, markIssue } from './markers.ts'
import type { Stage } from './merge-stages.ts'
import { type LinkMemory, syncIssue } from './sync-issue.ts'
import type { Tracker, TrackerApi } from './tracker.ts'
import { writeIssue } from './write-issue.ts'

export interface LinkParts {
  readonly database: Database
  readonly items: DeliveredItems
  readonly tracked: TrackedItems
  readonly appUrl: string
}

const reason = 'an issue of a tracker is kept like its item'
const linkDays = 30
const maxRuns = 3

const statusOf: Readonly<Record<Stage, FeedbackStatus>> = {
  todo: 'open',
  started: 'in_progress',
  done: 'resolved',
  dropped: 'closed',
}
/** The stage of an item's status. */
export const stageOf: Readonly<Record<FeedbackStatus, Stage>> = {
  new: 'todo',
  open: 'todo',
  in_progress: 'started',
  resolved: 'done',
  closed: 'dropped',
}

/** A connected tracker, and how its owner maps items to issues. */
export interface ConnectedTracker<Settings> {
  readonly tracker: Tracker<Settings>
  readonly api: TrackerApi<Settings>
  readonly mapping: IssueMapping
}

/**
 * Creates the issue of a link that has none, then makes both sides alike.
 *
 * @returns false when the link or its item no longer exists.
 * @throws DeliveryFailure when the tracker refuses or does not answer: it is tried again later.
 */
export async function workOnLink<Settings>(
  parts: LinkParts,
  connected: ConnectedTracker<Settings>,
  place: { organizationId: string; id: string },
): Promise<boolean> {
  const { database } = parts
  const link = await database.asSystem(reason, (tx) => findLink(tx, place.organizationId, place.id))
  if (!link) return false
  try {
    const issueKey = link.issueKey ?? (await createIssue(parts, connected, link))
    if (issueKey === undefined) return false
    for (let run = 0; run < maxRuns; run += 1) {
      const outcome = await syncOnce(parts, connected, { ...place, issueKey })
      if (outcome === 'missing') return false
      if (outcome === 'gone') {
        const failure = 'The issue was deleted, or the integration can’t reach it any more.'
        await database.asSystem(reason, (tx) => noteTrouble(tx, place, { isGone: true, failure }))
      }
      if (outcome !== 'again') return true
    }
    throw new DeliveryFailure('The item changed while it was compared with its issue.')
  } catch (error) {
    if (!(error instanceof DeliveryFailure)) throw error
    const { message: failure } = error
    await database.asSystem(reason, (tx) => noteTrouble(tx, place, { isGone: false, failure }))
    throw error
  }
}

/** The new issue's key; undefined: the item is gone. An issue that an earlier run created unnoticed is taken instead. */
async function createIssue<Settings>(
  { database, items, appUrl }: LinkParts,
  { tracker, api, mapping }: ConnectedTracker<Settings>,
  link: Link,
): Promise<string | undefined> {
  const { organizationId, feedbackId, id } = link
  const found = await database.asSystem(reason, async (tx) => {
    await noteCreating(tx, link)
    const item = await items.find(tx, organizationId, feedbackId, linkDays)
    if (!item) return undefined
    const assignee = mapping.assignee === true ? await findAssignee(tx, organizationId, item.assigneeId) : undefined
    return { item, assigneeEmail: assignee?.email ?? null }
  })
  if (!found) return undefined
  const { item, assigneeEmail } = found
  const mark = markIssue(tracker.markers, { appUrl, feedbackId, linkId: id })
  const made = link.creatingSince === null ? undefined : await tracker.findByMarker(api, mark.marker)
  const fields = writeFields(item, mapping, { takes: tracker.takes, assigneeEmail })
  const issue = made ?? (await tracker.create(api, writeIssue(item, appUrl, mark, fields)))
  const stage = createStageMap(mapping, tracker.stages).count(issue.status)
  // A new issue is as no one has touched it: where the item stands elsewhere, the issue follows.
  const counted = { ...issue, status: { ...issue.status, stage } }
  await database.asSystem(reason, (tx) => storeIssue(tx, link, counted, null))
  return issue.key
}

async function syncOnce<Settings>(
  { database, tracked, appUrl }: LinkParts,
  { tracker, api, mapping }: ConnectedTracker<Settings>,
  place: { organizationId: string; id: string; issueKey: string },
): Promise<'done' | 'again' | 'gone' | 'missing'> {
  const { organizationId } = place
  let key = place.issueKey
  const link = await database.asSystem(reason, (tx) => findLink(tx, organizationId, place.id))
  const item = link && (await tracked.read(organizationId, link.feedbackId, link.integrationId))
  if (!link || !item) return 'missing'
  return syncIssue({
    stages: createStageMap(mapping, tracker.stages),
    // Of the item and not of the link: an issue that is linked again brings no note a second time.
    toNoteId: (commentId) => uuidV5(`${link.integrationId} ${commentId}`, link.feedbackId),
    item: {
      read: async () => ({ stage: stageOf[item.status], version: item.version, notes: item.notes }),
      addNote: (note) => {
        const { integrationId, feedbackId: id } = link
        return tracked.addNote({ organizationId, id }, { ...note, integrationId })
      },
    },
    issue: {
      read: async () => {
        const found = await tracker.read(api, key)
        // It may have been moved: what follows goes to where it is now.
        if (found) key = found.key
        return found
      },
      listStatuses: () => tracker.listStatuses(api),
      setStage: (stage, statusId) => tracker.setStage(api, key, stage, statusId),
      listComments: () => tracker.listComments(api, key),
      addCopy: (note) => tracker.addComment(api, key, markComment(tracker.markers, { appUrl, ...link }, note)),
    },
    memory: rememberIn(database, tracked, link),
  })
}

function rememberIn(database: Database, tracked: TrackedItems, link: Link): LinkMemory {
  const { organizationId, integrationId, feedbackId: id } = link
  return {
    agreed: link.agreed,
    agreedItem: link.agreedItem,
    intended: link.intended,
    listPairs: () => database.asSystem(reason, (tx) => listPairs(tx, link)),
    addPair: (pair) => database.asSystem(reason, (tx) => addPair(tx, link, pair)),
    intend: (stage, agreed) => database.asSystem(reason, (tx) => noteIntended(tx, link, stage, agreed)),
    store: (issue, item) => database.asSystem(reason, (tx) => storeIssue(tx, link, issue, item)),
    follow: (issue, version) =>
      database.asIntegration(integrationId, async (tx) => {
        const hasChanged = await tracked.setStatus(tx, { organizationId, id, version }, statusOf[issue.status.stage])
        if (hasChanged) await storeIssue(tx, link, issue, issue.status.stage)
        return hasChanged
      }),
  }
}
