import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { FeedbackParams } from './params.ts'
import { route } from './route.ts'
import { lines, Timestamp, Uuid } from './text.ts'
import { uuidPattern } from './uuid.ts'

const commentKinds = ['note', 'reply'] as const
export const maxCommentLength = 10_000
/**
 * How a note's text names a member: `<@` user id `>`. The id stays while the person's name changes, so a
 * reader of the text inserts the name from `mentions`.
 */
export const mentionPattern = new RegExp(`<@(${uuidPattern})>`, 'gi')
export const maxMentions = 20

/**
 * What became of a reply's mail.
 * - `no_address`: the visitor left none; they see the reply where they wrote, if at all.
 * - `waiting`: it is on its way, or the mail server is away and it is tried again.
 * - `sent`: the mail server took it.
 * - `failed`: it was refused permanently, or could not be sent for three days.
 */
const replyDeliveries = ['no_address', 'waiting', 'sent', 'failed'] as const

/** Something said about an item: a `note` is for the team; a `reply` is between the team and the visitor. */
export const FeedbackComment = Type.Object({
  id: Uuid,
  kind: Type.Enum([...commentKinds]),
  /** Empty where a visitor only said whether their problem is solved. */
  text: Type.String(),
  /** Number of the merged item that it was said about; null: this item itself. */
  itemNumber: nullable(Type.Integer()),
  /** The visitor's answer to a reply. */
  fromVisitor: Type.Boolean(),
  /** With a visitor's answer: whether they say that it is solved; null: they said neither. */
  solved: nullable(Type.Boolean()),
  /** Whom the text names; the name is null when the account is gone. */
  mentions: Type.Array(Type.Object({ userId: Uuid, name: nullable(Type.String()) })),
  /** Null for notes and answers, and for replies from before they were emailed. */
  delivery: nullable(Type.Enum([...replyDeliveries])),
  /** Null when the account is gone, and for the visitor. */
  authorName: nullable(Type.String()),
  createdAt: Timestamp,
})
export type FeedbackComment = Static<typeof FeedbackComment>

/** The id is made by the sender and stays the same over every retry, which is what makes a retry safe. */
export const NewComment = Type.Object(
  {
    id: Uuid,
    kind: Type.Enum([...commentKinds]),
    /** In a note, `<@user id>` mentions a member, who gets a notification. */
    text: lines({ minLength: 1, maxLength: maxCommentLength }),
  },
  { additionalProperties: false },
)
export type NewComment = Static<typeof NewComment>

export const addComment = route({
  operationId: 'addComment',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/feedback/{feedbackId}/comments',
  summary: 'Write an internal note, or a reply that is emailed to the visitor; safe to repeat with the same id',
  tag: 'feedback',
  params: FeedbackParams,
  body: NewComment,
  replies: { 200: FeedbackComment, 201: FeedbackComment },
  errors: ['feedback_not_found', 'member_not_found', 'item_in_trash', 'id_reused'],
  access: { kind: 'organization', permission: 'comment_feedback' },
  rate: 'write',
})
