import type { AttachmentKind } from '#contract/files.ts'
import type { Upload } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { ask, findRefusal } from './ask.ts'
import { findHeldLocks, withLock } from './lock.ts'
import { tell } from './news.ts'
import { type Run, startRunning, type Travelling, underWay } from './runner.ts'
import { type Kept, list, put, remove } from './store.ts'
import { createUuidV7 } from './uuid-v7.ts'

/*
 * Files on their way, by the tus protocol 1.0.0 (tus.io) with its extensions creation, creation-defer-length and
 * termination. Bytes are kept before they are sent, and until the server has all of them and the submission that they
 * belong to. What the server has is never guessed: after anything but a clear answer it is asked (HEAD). Every length
 * is told at the end: a recording has none before, and a file then tells it with its first bytes.
 */

const timeoutMs = 60_000
/** Lost at most when a line breaks, where the server keeps only whole slices: 2 MiB; halved after each failure. */
const sliceBits = 21
/** The server forgets uploads that nobody claims after this time; so do we. */
const unclaimedMs = 24 * 3_600_000
/** A piece of a recording is about this long. */
const chunkMs = 2000

interface StoredFile extends Travelling {
  /** Address that makes uploads; with the id behind it, this one's. */
  readonly url: string
  readonly kind: AttachmentKind
  readonly mime: string
  readonly name: string
  readonly startedAt: number
  /** Bytes there are, and bytes that the server has. */
  size: number
  sent: number
  /** Nothing more comes. */
  isWhole?: boolean
  /** The submission it belongs to, once the server has that. */
  owner?: string
  /** Found after its tab had died, and shown to the visitor. */
  isOffered?: boolean
}

interface Chunk extends Kept {
  readonly blob: Blob
}

/** An upload that this page knows of. */
interface OpenFile extends Upload {
  /** Resolves when all there is of it is kept. */
  settle(): Promise<unknown>
  /** Gives it to a submission that the server has. */
  claim(owner: string): Promise<unknown>
  /** Sends what there is to send. */
  run: Run
  /** Resolves when nothing more comes. */
  readonly ended: Promise<void>
  readonly stored: StoredFile
  readonly parts: readonly Blob[]
}

const files = new Map<string, OpenFile>()

async function forget(id: string): Promise<void> {
  await remove(`f${id}`)
  await remove(`c${id}`)
}

const encode = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Tells how far the files of a submission are, or a file that belongs to none yet. */
function tellProgress(owner: string, refused: string | undefined): void {
  const progress = { sentBytes: 0, totalBytes: 0, ...(refused && { refused }) }
  for (const { id, stored } of files.values()) {
    if (owner !== (stored.owner ?? id)) continue
    progress.sentBytes += stored.sent
    progress.totalBytes += stored.size
  }
  tell(owner, progress)
}

/**
 * @param parts what is kept of its bytes
 * @param offset bytes that the server has; -1: it does not know of the upload; undefined: it is to be asked
 */
function openFile(stored: StoredFile, parts: Blob[], offset?: number): OpenFile {
  const { id, key, url, kind, mime, name } = stored
  let isLengthTold: boolean | undefined
  let refused: string | undefined
  let writing: Promise<unknown> = Promise.resolve()
  let end: () => void
  const ended = new Promise<void>((resolve) => (end = resolve))

  /** Resolves to true when it went well, false when the server will never take it, else to its answer. */
  const send = async (method: string, headers?: Record<string, string>, body?: Blob) => {
    const from = offset
    offset = undefined
    const response = await ask(
      method === 'POST' ? url : `${url}/${id}`,
      { method, headers: { 'tus-resumable': '1.0.0', ...headers }, ...(body && { body }) },
      timeoutMs,
    )
    const isLost = response?.status === 404 || response?.status === 410
    const next = method === 'POST' ? 0 : Number.parseInt(response?.headers.get('upload-offset') ?? '', 10)
    // Networks that ask for a login first answer anything with 200; no such answer moves the offset.
    if (response?.ok && (body?.size ? next > (from ?? 0) : next >= 0)) {
      offset = stored.sent = next
      isLengthTold = response.headers.has('upload-length') || !!headers?.['upload-length']
    } else if (isLost && method !== 'POST') {
      offset = -1
      return method === 'HEAD' || response
    } else {
      refused = await findRefusal(response)
      if (!refused) return response
      await forget(id)
    }
    tellProgress(stored.owner ?? id, refused)
    return !refused
  }

  const run = startRunning(stored, async (failures) => {
    if (refused) return false
    if (!files.has(id)) {
      await send('DELETE')
      return false
    }
    let result: boolean | Response | undefined = true
    if (offset === undefined) result = await send('HEAD')
    if (result === true && offset === -1) {
      const metadata = Object.entries({ id, kind, mime, name }).map(([key, value]) => `${key} ${encode(value)}`)
      result = await send('POST', { 'upload-defer-length': '1', 'upload-metadata': `${metadata}` })
    }
    if (result !== true || offset === undefined) return result
    const { isWhole, size } = stored
    const isTelling = isWhole && !isLengthTold
    if (offset >= size && !isTelling) {
      if (isWhole && stored.owner) await forget(id)
      return false
    }
    const headers = {
      'content-type': 'application/offset+octet-stream',
      'upload-offset': `${offset}`,
      ...(isTelling && { 'upload-length': `${Math.max(size, offset)}` }),
    }
    return send('PATCH', headers, new Blob(parts).slice(offset, offset + 2 ** (sliceBits - Math.min(failures, 6))))
  })

  /** Changes what is kept, in the order of the calls, so that no chunk is ever kept without those before it. */
  const change = (write: () => Promise<unknown>) => {
    writing = writing.then(async () => {
      if (!refused && files.has(id)) await write()
      run()
    })
    return writing
  }

  const file: OpenFile = {
    ...{ id, kind, stored, parts, ended, run },
    append(blob) {
      change(async () => {
        await put({ key: `c${id}${1e5 + parts.length}`, blob } as Chunk)
        parts.push(blob)
        stored.size += blob.size
      })
    },
    finish() {
      end()
      change(() => {
        stored.isWhole = true
        return put(stored)
      })
    },
    discard() {
      end()
      files.delete(id)
      underWay.delete(key)
      writing = writing.then(() => forget(id))
      run(true)
    },
    settle: () => writing,
    claim(owner) {
      stored.owner = owner
      // The server may have forgotten it meanwhile.
      if (Date.now() > stored.startedAt + 3_600_000) offset = undefined
      tellProgress(owner, refused)
      return change(() => put(stored))
    },
  }
  files.set(id, file)
  if (offset === -1) change(() => put(stored))
  return file
}

/** Starts an upload; with `whole` it is all there is, else chunks follow until `finish`. */
export function startUpload(stage: Stage, kind: AttachmentKind, mime: string, name = '', whole?: Blob): Upload {
  const id = createUuidV7()
  const url = `${stage.origin}/e/${stage.settings.key}/uploads`
  const stored = { key: `f${id}`, id, url, kind, mime, name, startedAt: Date.now(), heldUntil: 0, size: 0, sent: 0 }
  const file = openFile(stored, [], -1)
  // As long as it is held, no other tab takes the recording for one that was left behind.
  withLock(`live:${id}`, () => file.ended)
  if (whole) {
    file.append(whole)
    file.finish()
  }
  return file
}

async function loadFile(stored: StoredFile): Promise<OpenFile> {
  const chunks = await list<Chunk>(`c${stored.id}`)
  const parts = chunks.map(({ blob }) => blob)
  // What was counted last may be older than the last chunk.
  return files.get(stored.id) ?? openFile({ ...stored, size: new Blob(parts).size }, parts)
}

/** Resolves when all that is known of these uploads is kept. */
export async function settleUploads(ids: readonly string[]): Promise<void> {
  for (const id of ids) await files.get(id)?.settle()
}

/** Gives uploads to a submission that the server has. */
export async function claimUploads(ids: readonly string[], owner: string): Promise<void> {
  for (const id of ids) {
    const [stored] = await list<StoredFile>(`f${id}`)
    await (stored ? await loadFile(stored) : files.get(id))?.claim(owner)
  }
}

/** Goes on with what is this page's or belongs to sent submissions, and forgets what nobody claimed. */
export async function resumeUploads(isEager: boolean, texts: string): Promise<void> {
  for (const stored of await list<StoredFile>('f')) {
    const { id, owner, startedAt } = stored
    if (owner) await loadFile(stored)
    else if (!files.has(id) && !texts.includes(id) && Date.now() > startedAt + unclaimedMs) await forget(id)
  }
  for (const { run } of files.values()) run(isEager)
}

/**
 * Recordings that a closed tab left unfinished and no submission names, each once. Where nobody knows which tabs live
 * (no Web Locks) there are none: such pages cannot record either.
 */
export async function findInterrupted(texts: string): Promise<{ upload: Upload; blob: Blob; durationMs: number }[]> {
  const held = await findHeldLocks()
  const found = []
  for (const stored of held ? await list<StoredFile>('f') : []) {
    const { id, mime, isWhole, isOffered } = stored
    if (isWhole || isOffered || files.has(id) || held?.includes(`earshot:live:${id}`) || texts.includes(id)) continue
    stored.isOffered = true
    await put(stored)
    const upload = await loadFile(stored)
    const blob = new Blob(upload.parts, { type: mime })
    if (blob.size) found.push({ upload, blob, durationMs: upload.parts.length * chunkMs })
  }
  return found
}
