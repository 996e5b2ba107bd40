import type { IssueMapping } from '#contract/issue-mapping.ts'
import type { IssuePreview, TrackerStatus } from '#contract/issue-preview.ts'
import { createStageMap } from '#contract/stage-map.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { SealError, type Seals } from '#server/platform/secret/seals.ts'
import type { DeliveredItem, DeliveredItems } from '../../feedback/delivered-items.service.ts'
import type { Feedback } from '../../feedback/feedback.service.ts'
import type { IntegrationDefinition } from '../define-integration.ts'
import { createServiceClient } from '../delivery/service-client.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { findIntegration, type IntegrationRow, readSecrets } from '../integrations.queries.ts'
import type { IntegrationPath } from '../integrations.service.ts'
import { findAssignee } from '../member-emails.queries.ts'
import { findDefinition } from '../registry.ts'
import { openSecrets } from '../secrets.ts'
import { checkMapping } from './check-mapping.ts'
import { writeFields } from './issue-fields.ts'
import { markIssue } from './markers.ts'
import { stageOf } from './work-on-link.ts'
import { writeIssue } from './write-issue.ts'

export interface PreviewParts {
  readonly database: Database
  readonly outbound: Outbound
  readonly seals: Seals
  readonly items: DeliveredItems
  readonly feedback: Pick<Feedback, 'list'>
  readonly appUrl: string
}

/** What an owner asks for while mapping items to issues. Nothing is changed, here or in the tracker. */
export interface IssuePreviews {
  /**
   * Statuses in the tracker's order.
   *
   * @throws ProductError `integration_not_found`, `integration_unreadable`, `integration_refused` when the tracker does not
   *   answer.
   */
  listStatuses(actor: Actor, path: IntegrationPath): Promise<TrackerStatus[]>
  /**
   * The issue that an item would become. A tracker that does not answer leaves out the status alone.
   *
   * @param wanted.feedbackId default: the newest item that the rules select.
   * @param wanted.mapping default: the one that is stored.
   * @returns null when the rules select no item.
   * @throws ProductError `integration_not_found`, `feedback_not_found`, `validation_failed`.
   */
  preview(
    actor: Actor,
    path: IntegrationPath,
    wanted: { feedbackId?: string; mapping?: IssueMapping },
  ): Promise<IssuePreview | null>
}

const reason = 'an owner looks at the issue that an item would become'
/** Links of a preview are not to outlive it by much. */
const linkDays = 1
/** Stands for the link that the issue will have. */
const previewLinkId = '00000000-0000-7000-8000-000000000000'

export function createIssuePreviews(parts: PreviewParts): IssuePreviews {
  const { database } = parts
  const get = async (actor: Actor, { organizationId, integrationId }: IntegrationPath) => {
    const row = await database.withTenant(actor, (tx) => findIntegration(tx, organizationId, integrationId))
    const definition = row && findDefinition(row.type)
    // A service without issues has neither statuses nor a preview.
    if (!row || !definition?.tracker) throw new ProductError('integration_not_found')
    return { row, definition, tracker: definition.tracker }
  }
  return {
    listStatuses: async (actor, path) => {
      const { row, tracker } = await get(actor, path)
      return askForStatuses(parts, path, row, tracker)
    },

    preview: async (actor, path, { feedbackId, mapping }) => {
      const { row, definition, tracker } = await get(actor, path)
      if (mapping) checkMapping(definition, mapping)
      const used = mapping ?? row.mapping
      const id = feedbackId ?? (await findNewest(parts, actor, path, row))
      if (id === undefined) return null
      const found = await database.asSystem(reason, async (tx) => {
        const item = await parts.items.find(tx, path.organizationId, id, linkDays)
        return item && { item, assignee: await findAssignee(tx, path.organizationId, item.assigneeId) }
      })
      if (!found) throw new ProductError('feedback_not_found')
      const { item, assignee } = found
      const mark = markIssue(tracker.markers, { appUrl: parts.appUrl, feedbackId: id, linkId: previewLinkId })
      const fields = writeFields(item, used, { takes: tracker.takes, assigneeEmail: assignee?.email ?? null })
      const { title, body, labels, priority, assigneeEmail } = writeIssue(item, parts.appUrl, mark, fields)
      return {
        feedbackId: id,
        number: item.number,
        projectName: item.projectName,
        title,
        // A hidden mark says nothing to readers.
        body: body.replace(mark.marker.startsWith('<!--') ? mark.marker : '', '').trimEnd(),
        labels: [...labels],
        priority,
        assignee: assigneeEmail !== null && assignee ? assignee : null,
        ...(await findStatus(item, used, tracker.stages, () => askForStatuses(parts, path, row, tracker))),
      }
    },
  }
}

async function findNewest(
  { feedback }: PreviewParts,
  actor: Actor,
  { organizationId }: IntegrationPath,
  { rules }: IntegrationRow,
): Promise<string | undefined> {
  return (await feedback.list(actor, organizationId, { ...rules, sort: 'newest', limit: 1 })).items[0]?.id
}

async function askForStatuses(
  { database, outbound, seals }: PreviewParts,
  path: IntegrationPath,
  { settings }: IntegrationRow,
  tracker: NonNullable<IntegrationDefinition['tracker']>,
): Promise<TrackerStatus[]> {
  const sealed = await database.asSystem(reason, (tx) => readSecrets(tx, path.organizationId, path.integrationId))
  if (sealed === undefined) throw new ProductError('integration_not_found')
  try {
    const { fields } = openSecrets(seals, path, sealed)
    const api = { settings: { ...settings, ...fields }, send: createServiceClient(outbound, []).send }
    return (await tracker.listStatuses(api)).map(({ id, name, stage }) => ({ id, name, stage }))
  } catch (error) {
    if (error instanceof SealError) throw new ProductError('integration_unreadable')
    if (error instanceof DeliveryFailure) throw new ProductError('integration_refused', { detail: error.message })
    throw error
  }
}

async function findStatus(
  { status }: DeliveredItem,
  mapping: IssueMapping,
  known: Parameters<typeof createStageMap>[1],
  listStatuses: () => Promise<TrackerStatus[]>,
): Promise<Pick<IssuePreview, 'status' | 'statusFailure'>> {
  try {
    const statuses = await listStatuses()
    const { statusId } = createStageMap(mapping, known).aim(stageOf[status], statuses)
    return { status: statuses.find(({ id }) => id === statusId) ?? null, statusFailure: null }
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    return { status: null, statusFailure: error.message }
  }
}
