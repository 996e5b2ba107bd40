import Type, { type Static } from 'typebox'
import { IntegrationParams } from './integrations.ts'
import { IssueMark } from './issue-mark.ts'
import { nullable } from './nullable.ts'
import { FeedbackParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/** An issue in a tracker that an item is linked to. */
export const IssueLink = Type.Object({
  id: Uuid,
  integrationId: Uuid,
  /** Type of the integration, such as `github`. */
  type: Type.String(),
  ...IssueMark.properties,
  title: nullable(Type.String()),
  url: nullable(Type.String()),
  /** Why it couldn't be created or read; null: it could. */
  failure: nullable(Type.String()),
  syncedAt: nullable(Timestamp),
})
export type IssueLink = Static<typeof IssueLink>

const path = '/api/v1/organizations/{organizationId}/feedback/{feedbackId}/issues'
const LinkParams = Type.Object({ ...FeedbackParams.properties, linkId: Uuid })

export const listIssueLinks = route({
  operationId: 'listIssueLinks',
  method: 'GET',
  path,
  summary: 'List the issues that an item is linked to',
  tag: 'integrations',
  params: FeedbackParams,
  replies: { 200: Type.Object({ items: Type.Array(IssueLink) }) },
  errors: ['feedback_not_found'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const linkIssue = route({
  operationId: 'linkIssue',
  method: 'POST',
  path,
  summary: 'Link an item to an issue that exists, or to a new one',
  tag: 'integrations',
  params: FeedbackParams,
  body: Type.Object(
    {
      integrationId: Uuid,
      /** Address or number of an issue. Default: a new one is created. */
      reference: Type.Optional(line({ minLength: 1, maxLength: 500 })),
    },
    { additionalProperties: false },
  ),
  replies: { 201: IssueLink },
  errors: ['feedback_not_found', 'integration_not_found', 'integration_not_active', 'already_linked'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const unlinkIssue = route({
  operationId: 'unlinkIssue',
  method: 'DELETE',
  path: `${path}/{linkId}`,
  summary: 'Remove the link between an item and an issue; both stay as they are',
  tag: 'integrations',
  params: LinkParams,
  replies: { 204: Type.Null() },
  errors: ['feedback_not_found', 'link_unknown'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

/** Items for which one call creates issues. */
export const maxNewIssues = 100

export const createIssues = route({
  operationId: 'createIssues',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/integrations/{integrationId}/issues',
  summary: 'Create an issue for each of several items; those that have one keep it',
  tag: 'integrations',
  params: IntegrationParams,
  body: Type.Object(
    { feedbackIds: Type.Array(Uuid, { minItems: 1, maxItems: maxNewIssues }) },
    { additionalProperties: false },
  ),
  replies: { 202: Type.Object({ created: Type.Integer() }) },
  errors: ['integration_not_found', 'integration_not_active'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})
