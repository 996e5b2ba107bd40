import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { Uuid } from './text.ts'

/** Who has an item open at the moment. */
export const Presence = Type.Object({ feedbackId: Uuid, userId: Uuid, name: Type.String() })
export type Presence = Static<typeof Presence>

export const announcePresence = route({
  operationId: 'announcePresence',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/presence',
  summary: 'Say which item you have open (null: none); repeated every 20 s, forgotten after 45 s',
  tag: 'feedback',
  params: OrganizationParams,
  body: Type.Object(
    {
      /** Made by the page: a person may have several open. */
      pageId: Uuid,
      feedbackId: nullable(Uuid),
    },
    { additionalProperties: false },
  ),
  /** Others who have it open. */
  replies: { 200: Type.Object({ others: Type.Array(Presence) }) },
  errors: ['feedback_not_found'],
  access: { kind: 'organization', permission: 'view_feedback' },
  impersonation: 'refused',
  rate: 'read',
})
