import { Metadata } from '@tus/server'
import { type AttachmentKind, attachmentKinds, maxAttachmentBytes } from '#contract/files.ts'
import { isUuid } from '#contract/uuid.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'

/** What the sender says of a file before it sends it. */
export interface Announcement {
  /** Made by the sender: the same over every retry. */
  readonly id: string
  readonly kind: AttachmentKind
  readonly name: string | null
  readonly mime: string | null
  /** Length in bytes; null when it follows later. */
  readonly bytes: number | null
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

const longestText = 255

/**
 * Reads the headers of a creation (tus 1.0, extension Creation).
 *
 * @throws ProductError `validation_failed` naming the header or the part of the metadata; `file_too_large`.
 */
export function readAnnouncement(headers: Headers): Announcement {
  const metadata = readMetadata(headers['upload-metadata'])
  const { id = '', kind } = metadata
  if (!isUuid(id.toLowerCase())) throw invalid('metadata.id', 'must be a UUID')
  if (!isKind(kind)) throw invalid('metadata.kind', `must be one of ${attachmentKinds.join(', ')}`)
  const bytes = readLength(headers)
  if (bytes !== null && bytes > maxAttachmentBytes[kind]) throw tooLarge(kind)
  return {
    id: id.toLowerCase(),
    kind,
    name: readText('name', metadata.name),
    mime: readText('mime', metadata.mime),
    bytes,
  }
}

/** @throws ProductError `validation_failed` when it is no id of a file. */
export function readUploadId(id: string): string {
  // No such file exists: nothing more is to be said about it.
  if (!isUuid(id.toLowerCase())) throw new ProductError('upload_not_found')
  return id.toLowerCase()
}

export function tooLarge(kind: AttachmentKind): ProductError {
  const megabytes = maxAttachmentBytes[kind] / 1024 / 1024
  return new ProductError('file_too_large', {
    detail: `At most ${megabytes} MB.`,
    fields: [{ path: 'headers.upload-length', message: `must be at most ${maxAttachmentBytes[kind]}` }],
  })
}

function isKind(kind: string | undefined): kind is AttachmentKind {
  return attachmentKinds.some((each) => each === kind)
}

function readMetadata(header: string | string[] | undefined): Partial<Record<string, string>> {
  try {
    const parsed = Object.entries(Metadata.parse(String(header ?? '')))
    return Object.fromEntries(parsed.map(([key, value]) => [key, value ?? '']))
  } catch {
    throw invalid('headers.upload-metadata', 'must hold id and kind as tus metadata: names and Base64 values')
  }
}

function readText(field: string, value: string | undefined): string | null {
  if (value === undefined || value.trim() === '') return null
  if (!value.isWellFormed() || value.includes('\uFFFD')) throw invalid(`metadata.${field}`, 'must be UTF-8 text')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that a name must not hold
  const clean = value.replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, ' ').trim()
  if ([...clean].length > longestText) throw invalid(`metadata.${field}`, `must have at most ${longestText} characters`)
  return clean === '' ? null : clean
}

function readLength(headers: Headers): number | null {
  const length = headers['upload-length']
  const deferred = headers['upload-defer-length']
  if ((length === undefined) === (deferred === undefined)) {
    throw invalid('headers.upload-length', 'must be given, or else Upload-Defer-Length: 1')
  }
  if (length === undefined) {
    if (deferred !== '1') throw invalid('headers.upload-defer-length', 'must be 1')
    return null
  }
  const bytes = Number(length)
  if (typeof length !== 'string' || !/^\d{1,15}$/.test(length)) {
    throw invalid('headers.upload-length', 'must be a number of bytes')
  }
  return bytes
}
