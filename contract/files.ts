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

/**
 * Types of files that are kept, separated by commas: by their content, whatever their sender says of them. Everything that
 * reads as text is `text/plain`, except markup. The widget refuses other files before it sends them.
 */
export const keptFileTypes =
  'image/png,image/jpeg,image/webp,image/gif,image/avif,' +
  'audio/webm,audio/ogg,audio/mp4,audio/mpeg,audio/wav,video/webm,video/mp4,video/ogg,' +
  'application/pdf,application/zip,text/plain,text/csv,application/json'

/** Other names of these types, which browsers and tools use. */
export const fileTypeAliases: Readonly<Record<string, string>> = {
  'audio/ogg; codecs=opus': 'audio/ogg',
  'audio/mp3': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/opus': 'audio/ogg',
  'audio/vnd.wave': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'video/x-m4v': 'video/mp4',
  'application/x-zip-compressed': 'application/zip',
}

/** What a picture drawn from the page may lack, because the browser let it be neither read nor drawn. */
export const pictureGaps = ['images', 'frames', 'canvas', 'video', 'styles', 'parts'] as const
const PictureGaps = Type.Array(Type.Enum([...pictureGaps]), { maxItems: pictureGaps.length, uniqueItems: true })
export type PictureGap = (typeof pictureGaps)[number]

/** An attachment as a submission announces it. Its bytes arrive apart, by tus, under the same id, before or after. */
export const AnnouncedAttachment = Type.Object(
  {
    id: Uuid,
    kind: AttachmentKind,
    name: Type.Optional(Type.String({ maxLength: 255 })),
    /** What the sender measured; the server measures again where it can. */
    durationMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
    /** Of a screenshot. `parts`: what custom elements keep in closed shadow roots. */
    missing: Type.Optional(PictureGaps),
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
  /** What a screenshot lacks. `parts`: what custom elements keep in closed shadow roots. */
  missing: PictureGaps,
  /** Loudness over the length of the sound, 0 to 100, at most 200 values. */
  waveform: nullable(Type.Array(Type.Integer())),
  /** As it was sent. */
  url: nullable(Type.String()),
  /** A form that plays everywhere and can be sought in; null: play `url`. */
  playbackUrl: nullable(Type.String()),
  posterUrl: nullable(Type.String()),
  /** Of a picture that a member drew on: the id of the one it was made from, and who made it. Null: the visitor sent it. */
  annotation: nullable(
    Type.Object({
      of: Uuid,
      /** Null when the account is gone. */
      byName: nullable(Type.String()),
    }),
  ),
  createdAt: Timestamp,
})
export type Attachment = Static<typeof Attachment>
