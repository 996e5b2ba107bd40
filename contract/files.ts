import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { Timestamp, Uuid } from './text.ts'

export const attachmentKinds = ['screenshot', 'voice', 'screen', 'file', 'replay'] as const
export const AttachmentKind = Type.Enum([...attachmentKinds])
export type AttachmentKind = (typeof attachmentKinds)[number]

const megabyte = 1024 * 1024

/** Largest attachment of each kind, in bytes. */
export const maxAttachmentBytes: Readonly<Record<AttachmentKind, number>> = {
  screenshot: 15 * megabyte,
  voice: 20 * megabyte,
  screen: 250 * megabyte,
  file: 25 * megabyte,
  replay: 5 * megabyte,
}
/** Attachments of one submission. */
export const maxAttachments = 10

/** An attachment as a submission announces it. Its bytes arrive apart, by tus, under the same id, before or after. */
export const AnnouncedAttachment = Type.Object(
  {
    id: Uuid,
    kind: AttachmentKind,
    name: Type.Optional(Type.String({ maxLength: 255 })),
    /** What the sender measured; the server measures again where it can. */
    durationMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
  },
  { additionalProperties: false },
)
export type AnnouncedAttachment = Static<typeof AnnouncedAttachment>

/**
 * - `pending`: announced, not all here yet.
 * - `processing`: here, being looked at.
 * - `ready`: can be looked at.
 * - `refused`: not what it said it was; `note` says why.
 */
const attachmentStates = ['pending', 'processing', 'ready', 'refused'] as const

/** An attachment as the team sees it. Addresses are signed and stop working after an hour; ask again for new ones. */
export const Attachment = Type.Object({
  id: Uuid,
  kind: AttachmentKind,
  name: nullable(Type.String()),
  state: Type.Enum([...attachmentStates]),
  /** Why it was refused, or what could not be done with it (e.g. no conversion on this server). */
  note: nullable(Type.String()),
  /** By its content, never by what the sender said. */
  mime: nullable(Type.String()),
  bytes: nullable(Type.Integer()),
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  durationMs: nullable(Type.Integer()),
  /** Loudness over the length of the sound, 0 to 100, at most 200 values. */
  waveform: nullable(Type.Array(Type.Integer())),
  /** As it was sent. */
  url: nullable(Type.String()),
  /** A form that plays everywhere and can be sought in; null: play `url`. */
  playbackUrl: nullable(Type.String()),
  posterUrl: nullable(Type.String()),
  createdAt: Timestamp,
})
export type Attachment = Static<typeof Attachment>
