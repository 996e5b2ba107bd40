import Type, { type Static } from 'typebox'
import { FeedbackPriority } from './feedback.ts'
import { IntegrationParams } from './integrations.ts'
import { IssueMapping, issueStages } from './issue-mapping.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { Uuid } from './text.ts'

/** A status that issues of a tracker can have. */
export const TrackerStatus = Type.Object({
  id: Type.String(),
  /** In the tracker's words. */
  name: Type.String(),
  /** What it counts as, by the tracker itself. */
  stage: Type.Enum([...issueStages]),
})
export type TrackerStatus = Static<typeof TrackerStatus>

/** An issue as it would be created from an item. */
export const IssuePreview = Type.Object({
  feedbackId: Uuid,
  /** Number of the item within its project. */
  number: Type.Integer(),
  projectName: Type.String(),
  title: Type.String(),
  /** Markdown. */
  body: Type.String(),
  /** Beside those that the connection adds to every issue. */
  labels: Type.Array(Type.String()),
  /** Null: the tracker's default. */
  priority: nullable(FeedbackPriority),
  /** The member whose email address the tracker is given; null: the issue is assigned to no one. */
  assignee: nullable(Type.Object({ email: Type.String(), name: nullable(Type.String()) })),
  /** Null: the tracker did not say which statuses it has. */
  status: nullable(TrackerStatus),
  /** Why the status is missing, in a sentence. */
  statusFailure: nullable(Type.String()),
})
export type IssuePreview = Static<typeof IssuePreview>

const path = '/api/v1/organizations/{organizationId}/integrations/{integrationId}'
const access = { kind: 'organization', permission: 'manage_integrations' } as const

export const listTrackerStatuses = route({
  operationId: 'listTrackerStatuses',
  method: 'GET',
  path: `${path}/statuses`,
  summary: 'Ask a tracker for the statuses that its issues can have',
  tag: 'integrations',
  params: IntegrationParams,
  replies: { 200: Type.Object({ items: Type.Array(TrackerStatus) }) },
  errors: ['integration_not_found', 'integration_unreadable', 'integration_refused'],
  access,
  rate: 'write',
})

export const previewIssue = route({
  operationId: 'previewIssue',
  method: 'POST',
  path: `${path}/preview`,
  summary: 'Show the issue that an item would become; nothing is created',
  tag: 'integrations',
  params: IntegrationParams,
  body: Type.Object(
    {
      /** Default: the newest item that the rules select. */
      feedbackId: Type.Optional(Uuid),
      /** Default: the one that is stored. */
      mapping: Type.Optional(IssueMapping),
    },
    { additionalProperties: false },
  ),
  /** `issue` is null when the rules select no item. */
  replies: { 200: Type.Object({ issue: nullable(IssuePreview) }) },
  errors: ['integration_not_found', 'feedback_not_found'],
  access,
  rate: 'write',
})
