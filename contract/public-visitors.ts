import Type, { type Static } from 'typebox'
import { FeedbackListItem } from './feedback.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, lines } from './text.ts'
import { Visitor, VisitorErasure, VisitorListItem } from './visitors.ts'

/*
 * Visitors for programs: who gave feedback to the API key's project, as that project's items tell. Visitors that members
 * merged stay apart: a merge may come from items of another project.
 */

const cursor = Type.Optional(Type.String({ maxLength: 600 }))
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100 }))

export const apiListVisitors = route({
  operationId: 'apiListVisitors',
  method: 'GET',
  path: '/api/v1/visitors',
  summary: 'List visitors with an id or an address who gave feedback to the project, last seen first',
  tag: 'visitors',
  query: Type.Object(
    {
      /** Part of their id, name or address, from two characters on. */
      q: Type.Optional(line({ maxLength: 200 })),
      /** `nextCursor` of the previous page. */
      cursor,
      limit,
    },
    { additionalProperties: false },
  ),
  example: { q: 'ada', limit: 20 },
  replies: { 200: Type.Object({ items: Type.Array(VisitorListItem), nextCursor: nullable(Type.String()) }) },
  errors: [],
  access: { kind: 'api_key', scope: 'read' },
  rate: 'read',
})

const { projects: _, joined: __, ...ownFacts } = Visitor.properties

export const KeyVisitor = Type.Object(ownFacts)
export type KeyVisitor = Static<typeof KeyVisitor>

const VisitorParams = Type.Object({
  /** As in the list: your site’s id of the visitor or, without one, their address. */
  key: lines({ minLength: 1, maxLength: 254 }),
})

export const apiGetVisitor = route({
  operationId: 'apiGetVisitor',
  method: 'GET',
  path: '/api/v1/visitors/{key}',
  summary: 'Read what the project’s items tell of a visitor, and those items, newest first',
  tag: 'visitors',
  params: VisitorParams,
  query: Type.Object({ cursor, limit }, { additionalProperties: false }),
  example: { key: '$VISITOR_KEY' },
  replies: {
    200: Type.Object({
      visitor: KeyVisitor,
      /** In any location of the project. */
      items: Type.Array(FeedbackListItem),
      nextCursor: nullable(Type.String()),
    }),
  },
  errors: ['visitor_not_found'],
  access: { kind: 'api_key', scope: 'read' },
  rate: 'read',
})

export const apiEraseVisitor = route({
  operationId: 'apiEraseVisitor',
  method: 'DELETE',
  path: '/api/v1/visitors/{key}',
  summary:
    'Permanently delete what the project has of a visitor: their items with comments and files, and files of exports and waiting imports of this project that contain them. 202: a job has begun. Safe to repeat: 204 when nothing is left. Other projects keep theirs',
  tag: 'visitors',
  params: VisitorParams,
  example: { key: '$ERASED_VISITOR_KEY' },
  replies: { 202: VisitorErasure, 204: Type.Null() },
  errors: [],
  access: { kind: 'api_key', scope: 'write' },
  rate: 'write',
})
