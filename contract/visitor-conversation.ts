import Type, { type Static } from 'typebox'
import { maxCommentLength } from './conversation.ts'
import { FeedbackStatus } from './feedback.ts'
import { nullable } from './nullable.ts'
import { TokenParams } from './params.ts'
import { route } from './route.ts'
import { Timestamp, Uuid, visitorText } from './text.ts'

/** A reply, or an answer to one, as the visitor sees it. Notes are not told. */
export const VisitorMessage = Type.Object({
  id: Uuid,
  fromVisitor: Type.Boolean(),
  /** Null: an answer of the visitor's own. A member without a name goes by the project's. */
  authorName: nullable(Type.String()),
  text: Type.String(),
  solved: nullable(Type.Boolean()),
  createdAt: Timestamp,
})
export type VisitorMessage = Static<typeof VisitorMessage>

/** What a visitor sent, and what was said about it since. */
export const VisitorConversation = Type.Object({
  projectName: Type.String(),
  /** The website that it was sent from, e.g. `example.com`. */
  domain: Type.String(),
  number: Type.Integer(),
  /** Of the item that it is merged into, where it is. */
  status: FeedbackStatus,
  /** Empty when the visitor sent no words. */
  message: Type.String(),
  createdAt: Timestamp,
  /** Oldest first. */
  messages: Type.Array(VisitorMessage),
})
export type VisitorConversation = Static<typeof VisitorConversation>

export const getConversation = route({
  operationId: 'getConversation',
  method: 'GET',
  path: '/api/v1/conversations/{token}',
  summary: 'Read a conversation as its visitor, by the token of the emailed link',
  tag: 'conversations',
  params: TokenParams,
  replies: { 200: VisitorConversation },
  errors: ['conversation_not_found'],
  access: { kind: 'public' },
  rate: 'read',
})

/** The id is made by the sender and stays the same over every retry, which is what makes a retry safe. */
export const NewAnswer = Type.Object(
  {
    id: Uuid,
    /** May be left out where `solved` says it all. */
    text: Type.Optional(visitorText({ maxLength: maxCommentLength })),
    solved: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type NewAnswer = Static<typeof NewAnswer>

export const addAnswer = route({
  operationId: 'addAnswer',
  method: 'POST',
  path: '/api/v1/conversations/{token}/answers',
  summary: 'Answer as the visitor, or say whether it is solved; safe to repeat with the same id',
  tag: 'conversations',
  params: TokenParams,
  body: NewAnswer,
  replies: { 200: VisitorMessage, 201: VisitorMessage },
  errors: ['conversation_not_found', 'id_reused'],
  access: { kind: 'public' },
  rate: 'write',
})
