import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { lines, Timestamp } from './text.ts'

// As in visitors.ts: who the site said the visitor is, or their address.
const VisitorKey = lines({ minLength: 1, maxLength: 254 })

/** A visitor that is part of another. */
export const JoinedVisitor = Type.Object({
  key: Type.String(),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  /**
   * `verified`: someone with access to the address's mailbox answered a conversation of the signed id. `member`: merged by
   * hand.
   */
  cause: Type.Enum(['verified', 'member']),
  joinedAt: Timestamp,
  /** Null: joined by itself, or a deleted account. */
  joinedByName: nullable(Type.String()),
})
export type JoinedVisitor = Static<typeof JoinedVisitor>

export const joinVisitors = route({
  operationId: 'joinVisitors',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/visitors/joins',
  summary: 'Merge a visitor into another: they are one from now on, until it is undone; safe to repeat',
  tag: 'visitors',
  params: OrganizationParams,
  body: Type.Object(
    {
      /** Stays, and shows the items of both. */
      into: VisitorKey,
      /** Becomes part of the other, with its own parts. */
      part: VisitorKey,
    },
    { additionalProperties: false },
  ),
  /** `key`: under which both are shown. */
  replies: { 200: Type.Object({ key: Type.String(), part: Type.String() }) },
  errors: ['visitor_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const separateVisitor = route({
  operationId: 'separateVisitor',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/visitors/separations',
  summary: 'Undo the merge of a visitor: it is a visitor of its own again, with its own parts; safe to repeat',
  tag: 'visitors',
  params: OrganizationParams,
  body: Type.Object({ part: VisitorKey }, { additionalProperties: false }),
  replies: { 204: Type.Null() },
  errors: ['visitor_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})
