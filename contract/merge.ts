import Type, { type Static } from 'typebox'
import { FeedbackDetail, RelatedItem } from './feedback.ts'
import { FeedbackParams } from './params.ts'
import { route } from './route.ts'
import { Uuid } from './text.ts'

export const SimilarItem = Type.Object({
  ...RelatedItem.properties,
  /** Share of words that the two messages have in common, 0 to 1. */
  likeness: Type.Number(),
})
export type SimilarItem = Static<typeof SimilarItem>

export const listSimilar = route({
  operationId: 'listSimilarFeedback',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/feedback/{feedbackId}/similar',
  summary: 'List similar items of the same project, most similar first, at most five',
  tag: 'feedback',
  params: FeedbackParams,
  replies: { 200: Type.Object({ items: Type.Array(SimilarItem) }) },
  errors: ['feedback_not_found'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const MergeTarget = Type.Object(
  {
    /** The item that it is a duplicate of; or, instead, its number within the project. */
    into: Type.Optional(Uuid),
    number: Type.Optional(Type.Integer({ minimum: 1, maximum: 2147483647 })),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type MergeTarget = Static<typeof MergeTarget>

export const mergeFeedback = route({
  operationId: 'mergeFeedback',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/feedback/{feedbackId}/merge',
  summary: 'Put an item under another of the same project, with whatever is under it already; safe to repeat',
  tag: 'feedback',
  params: FeedbackParams,
  body: MergeTarget,
  replies: { 200: FeedbackDetail },
  errors: ['feedback_not_found', 'item_in_trash'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const Unmerge = Type.Object(
  {
    /** Items that become duplicates of this one again: what lay under it before it was merged. */
    take: Type.Optional(Type.Array(Uuid, { maxItems: 1000 })),
  },
  { additionalProperties: false },
)
export type Unmerge = Static<typeof Unmerge>

export const unmergeFeedback = route({
  operationId: 'unmergeFeedback',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/feedback/{feedbackId}/unmerge',
  summary: 'Unmerge an item; safe to repeat',
  tag: 'feedback',
  params: FeedbackParams,
  body: Unmerge,
  replies: { 200: FeedbackDetail },
  errors: ['feedback_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})
