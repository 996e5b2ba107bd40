import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { DataStore, Upload as TusUpload } from '@tus/server'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import {
  completeUpload,
  deleteUnclaimedUpload,
  findUpload,
  insertUpload,
  type NewUpload,
  setDeclaredBytes,
  setReceivedBytes,
  type Upload,
} from '../files.queries.ts'

/** The file of a request. */
export interface UploadTarget {
  readonly organizationId: string
  readonly projectId: string
  readonly id: string
}

const reason = 'a visitor sends a file to a project that admitted the visit'

/**
 * One file as tus sees it. tus identifies files by id alone; ours belong to a project, so each request has a store of
 * its own file only. Received bytes are in the storage, everything else is in the table.
 */
export class UploadStore extends DataStore {
  readonly #database: Database
  readonly #storage: Storage
  readonly #target: UploadTarget

  constructor(parts: { database: Database; storage: Storage }, target: UploadTarget) {
    super()
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination']
    this.#database = parts.database
    this.#storage = parts.storage
    this.#target = target
  }

  /** One per file, the same on every server. */
  get lockName(): string {
    return `upload ${this.#target.organizationId} ${this.#target.id}`
  }

  /** @throws ProductError `upload_not_found`, also for another project's file. */
  async find(): Promise<Upload> {
    const { organizationId, projectId, id } = this.#target
    const upload = await this.#database.asSystem(reason, (tx) => findUpload(tx, organizationId, id))
    if (upload?.projectId !== projectId) throw new ProductError('upload_not_found')
    return upload
  }

  /** @returns false when the id is taken. */
  async insert(announced: Pick<NewUpload, 'kind' | 'name' | 'declaredMime' | 'declaredBytes'>): Promise<boolean> {
    const storageKey = `${this.#target.organizationId}/${randomUUID()}`
    const row = { ...announced, ...this.#target, storageKey }
    return this.#database.asSystem(reason, (tx) => insertUpload(tx, row))
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const upload = await this.find()
    const size = upload.declaredBytes ?? undefined
    if (upload.state !== 'receiving') return new TusUpload({ id, size: upload.bytes, offset: upload.bytes })
    const offset = await this.#storage.received(upload.storageKey)
    // A process may have crashed between the last byte and its record.
    if (offset === size) await this.complete()
    return new TusUpload({ id, offset, ...(size !== undefined && { size }) })
  }

  override async declareUploadLength(_id: string, bytes: number): Promise<void> {
    await this.#database.asSystem(reason, (tx) => setDeclaredBytes(tx, this.#target, bytes))
  }

  override async write(stream: Readable, _id: string, offset: number): Promise<number> {
    const upload = await this.find()
    if (upload.state !== 'receiving') return offset
    try {
      return await this.#storage.append(upload.storageKey, stream, offset)
    } finally {
      const bytes = await this.#storage.received(upload.storageKey)
      await this.#database.asSystem(reason, (tx) => setReceivedBytes(tx, upload, bytes))
    }
  }

  /** @throws ProductError `upload_claimed` for a file that belongs to an item: only the team may delete it. */
  override async remove(): Promise<void> {
    const upload = await this.find()
    const outcome = await this.#database.asSystem(reason, (tx) => deleteUnclaimedUpload(tx, upload))
    if (outcome === 'claimed') throw new ProductError('upload_claimed')
  }

  /** Undoes a creation before the first byte. */
  async discardEmpty(): Promise<void> {
    const upload = await this.find()
    if (upload.state !== 'receiving' || (await this.#storage.received(upload.storageKey)) > 0) return
    await this.#database.asSystem(reason, (tx) => deleteUnclaimedUpload(tx, upload))
  }

  /** Hands a complete file to the jobs. Idempotent. */
  async complete(): Promise<void> {
    const upload = await this.find()
    if (upload.state !== 'receiving') return
    const bytes = await this.#storage.received(upload.storageKey)
    await this.#database.asSystem(reason, (tx) => completeUpload(tx, upload, bytes))
  }
}
