import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { maxAnnotations } from '#contract/annotations.ts'
import { type Attachment, maxAttachmentBytes } from '#contract/files.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import type { Quotas } from '../../quotas/quotas.service.ts'
import { completeUpload, deleteUnclaimedUpload, findUpload, insertUpload } from '../files.queries.ts'
import type { Files } from '../files.service.ts'
import {
  type Annotation,
  attachAnnotation,
  findAnnotatable,
  isAnnotation,
  isVisibleItem,
  removeAnnotation,
} from './annotations.queries.ts'

/** Pictures that members drew on, beside those that visitors sent. */
export interface Annotations {
  /**
   * Attaches a picture to the item of the one that was drawn on, which stays as it is. A retry gives the same.
   *
   * @param announcedBytes as the request says; 0 when it does not.
   * @throws ProductError `feedback_not_found`, `file_not_found`, `item_in_trash`, `too_many_annotations`, `id_reused`,
   * `file_too_large`, `file_quota_reached`, `disk_nearly_full`.
   */
  add(
    actor: Actor,
    annotation: Annotation,
    file: Readable,
    announcedBytes: number,
  ): Promise<{ attachment: Attachment; isNew: boolean }>
  /** Idempotent. @throws ProductError `feedback_not_found`. */
  remove(actor: Actor, annotation: Omit<Annotation, 'of'>): Promise<void>
}

interface AnnotationParts {
  readonly database: Database
  readonly storage: Storage
  readonly quotas: Pick<Quotas, 'require'>
  readonly files: Files
}

const reason = 'members may only read files; the caller’s permission is already checked'
const maxBytes = maxAttachmentBytes.screenshot
const maxNameLength = 255

export function createAnnotations(parts: AnnotationParts): Annotations {
  const { database } = parts
  return {
    add: async (actor, annotation, file, announcedBytes) => {
      const { organizationId } = annotation
      const isKnown = await database.asSystem(reason, (tx) => isAnnotation(tx, annotation))
      const { projectId, name } = await requirePicture(database, actor, annotation, isKnown)
      if (!isKnown) {
        if (announcedBytes > maxBytes) throw new ProductError('file_too_large')
        await parts.quotas.require({ kind: 'upload', organizationId, projectId, bytes: announcedBytes })
        await receive(parts, { ...annotation, projectId, name, addedBy: actor.userId }, file)
      }
      return { attachment: await readAttachment(parts, actor, annotation), isNew: !isKnown }
    },

    remove: async (actor, annotation) => {
      const { organizationId, feedbackId } = annotation
      const isVisible = await database.withTenant(actor, (tx) => isVisibleItem(tx, organizationId, feedbackId))
      if (!isVisible) throw new ProductError('feedback_not_found')
      await database.asSystem(reason, async (tx) => {
        if (!(await removeAnnotation(tx, annotation, actor.userId))) return
        await recordEvent(tx, { ...changeOf(annotation), actorUserId: actor.userId })
      })
    },
  }
}

const changeOf = ({ organizationId, feedbackId }: Pick<Annotation, 'organizationId' | 'feedbackId'>) =>
  ({ organizationId, name: 'feedback.files_changed', ids: [feedbackId], payload: {} }) as const

/** The project of the item, and the name of its new picture. */
async function requirePicture(
  database: Database,
  actor: Actor,
  annotation: Annotation,
  isKnown: boolean,
): Promise<{ projectId: string; name: string }> {
  const item = await database.withTenant(actor, (tx) => findAnnotatable(tx, annotation))
  if (!item) throw new ProductError('feedback_not_found')
  if (!item.picture) throw new ProductError('file_not_found')
  if (item.isInTrash) throw new ProductError('item_in_trash')
  if (!isKnown && item.annotations >= maxAnnotations) throw new ProductError('too_many_annotations')
  return { projectId: item.projectId, name: nameAnnotation(item.picture.name) }
}

/** `cart.png` becomes `cart-annotated`; the type follows from the content when the file is saved. */
function nameAnnotation(name: string | null): string {
  const stem = (name ?? 'screenshot').replace(/(-annotated)?(\.\w{1,5})?$/u, '')
  const ending = '-annotated'
  return `${stem.slice(0, maxNameLength - ending.length).toWellFormed()}${ending}`
}

/** Stores the bytes, and then attaches them in one transaction with the job that judges their content. */
async function receive(
  { database, storage }: AnnotationParts,
  annotation: Annotation & { projectId: string; name: string; addedBy: string },
  file: Readable,
): Promise<void> {
  const { organizationId, id, projectId, name, addedBy } = annotation
  const storageKey = `${organizationId}/${randomUUID()}`
  await database.asSystem(reason, async (tx) => {
    // Left by a request that broke off: its bytes follow by a job.
    const former = await findUpload(tx, organizationId, id)
    if (former?.state === 'receiving' && former.projectId === projectId) await deleteUnclaimedUpload(tx, former)
    const row = { organizationId, id, projectId, kind: 'screenshot', name, storageKey } as const
    const isInserted = await insertUpload(tx, { ...row, declaredMime: null, declaredBytes: null })
    if (!isInserted) throw new ProductError('id_reused')
  })
  try {
    const bytes = await storage.append(storageKey, limitBytes(file), 0)
    await database.asSystem(reason, async (tx) => {
      const isAttached = await attachAnnotation(tx, annotation, { storageKey, name, addedBy })
      if (!isAttached) throw new ProductError('id_reused')
      await completeUpload(tx, { organizationId, id }, bytes)
      await recordEvent(tx, { ...changeOf(annotation), actorUserId: addedBy })
    })
  } catch (error) {
    await database.asSystem(reason, async (tx) => {
      const upload = await findUpload(tx, organizationId, id)
      if (upload?.storageKey === storageKey) await deleteUnclaimedUpload(tx, upload)
    })
    throw error
  }
}

/** @throws ProductError `file_too_large`, whatever length the request announced. */
async function* limitBytes(file: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0
  // A request's body gives bytes.
  for await (const chunk of file as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ProductError('file_too_large')
    yield chunk
  }
}

async function readAttachment(
  { database, files }: AnnotationParts,
  actor: Actor,
  { organizationId, feedbackId, id }: Annotation,
): Promise<Attachment> {
  const found = await database.withTenant(actor, (tx) => files.listAttachments(tx, organizationId, [feedbackId]))
  const attachment = found.get(feedbackId)?.find((each) => each.id === id)
  // Deleted a moment ago, by another member or with its item.
  if (!attachment) throw new ProductError('file_not_found')
  return attachment
}
