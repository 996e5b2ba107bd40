import type { AttachmentKind } from '#contract/files.ts'
import type { Upload } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { ask, findRefusal, writeUrl } from './ask.ts'
import { tell } from './news.ts'
import { type Run, startRunning, type Travelling, underWay, withLock } from './runner.ts'
import { allowStorage, type Kept, list, put, remove } from './store.ts'
import { createUuidV7 } from './uuid-v7.ts'
import { within } from './within.ts'

/*
 * Files on their way, by the tus protocol 1.0.0 (tus.io) with its extensions creation, creation-defer-length and
 * termination. Bytes are kept before they are sent, and until the server has all of them and the submission that they
 * belong to. The offset is never guessed: after any unclear answer the creation is repeated under the same id. Earshot's
 * server then returns the offset, takes the length once known, and recreates an expired upload.
 */

const timeoutMs = 60_000
/** Lost at most when a line breaks, where the server keeps only whole slices: 2 MiB; halved after each failure. */
const sliceBits = 21
/** The server deletes unclaimed uploads after this time, and so does the widget. */
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
  /** The recording has ended: no more chunks follow. */
  isWhole?: boolean
  /** The submission it belongs to, once the server has that. */
  owner?: string
}

interface Chunk extends Kept {
  readonly blob: Blob
}

/** An upload that this page knows of. */
interface OpenFile extends Upload {
  readonly stored: StoredFile
  readonly parts: readonly Blob[]
  readonly run: Run
  /** Keeps what changes and sends what can be sent. Resolves when this and all before it is kept. */
  change(changes: Partial<StoredFile>, chunk?: Blob): Promise<void>
}

const files = new Map<string, OpenFile>()

const forget = (id: string) => remove(`f${id}`, `c${id}`)

const encode = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Tells the progress of all files of an upload's submission; without a submission, of the upload alone. */
function tellProgress({ id, owner = id }: StoredFile, refused?: string): void {
  const progress = { sentBytes: 0, totalBytes: 0, ...(refused && { refused }) }
  for (const { stored } of files.values()) {
    if (owner !== (stored.owner ?? stored.id)) continue
    progress.sentBytes += stored.sent
    progress.totalBytes += stored.size
  }
  tell(owner, progress)
}

function openFile(stored: StoredFile, parts: Blob[]): OpenFile {
  const { id, key, url, kind, mime, name } = stored
  /** Bytes that the server has; undefined: it has to be asked. */
  let offset: number | undefined
  let isLengthTold: boolean | undefined
  let refused: string | undefined
  let writing = Promise.resolve()

  /** Resolves to true when it went well, false when the server will never take it, else to its answer. */
  const send = async (method: string, headers?: Record<string, string>, body?: Blob) => {
    const before = offset
    offset = undefined
    const init = { method, headers: { 'tus-resumable': '1.0.0', ...headers }, ...(body && { body }) }
    const response = await ask(body || !headers ? `${url}/${id}` : url, init, timeoutMs)
    const next = Number(response?.headers.get('upload-offset'))
    // Networks that ask for a login first answer anything with 200: that does not move the offset.
    if (response?.ok && (!body || next > (before ?? 0))) offset = stored.sent = next
    else {
      // An expired upload is created again.
      if (!body || response?.status !== 404) refused = await findRefusal(response)
      if (!refused) return response
      await forget(id)
    }
    tellProgress(stored, refused)
    return !refused
  }

  const run = startRunning(stored, async (failures) => {
    if (refused) return false
    if (!files.has(id)) {
      await send('DELETE')
      return false
    }
    const { isWhole, size } = stored
    if (offset === undefined || isWhole !== isLengthTold) {
      const metadata = Object.entries({ id, kind, mime, name }).map(([key, value]) => `${key} ${encode(value)}`)
      const result = await send('POST', {
        'upload-metadata': metadata.join(),
        ...(isWhole ? { 'upload-length': `${size}` } : { 'upload-defer-length': '1' }),
      })
      if (result !== true) return result
      isLengthTold = isWhole
    }
    const from = offset ?? 0
    if (from < size) {
      const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': `${from}` }
      return send('PATCH', headers, new Blob(parts).slice(from, from + 2 ** (sliceBits - Math.min(failures, 6))))
    }
    if (isWhole && stored.owner) await forget(id)
    return false
  })

  // One after the other, so that no chunk is ever kept without those before it.
  const change: OpenFile['change'] = (changes, chunk) =>
    (writing = writing.then(async () => {
      Object.assign(stored, changes)
      const chunks = chunk ? [{ key: `c${id}${1e5 + parts.length}`, blob: chunk }] : []
      stored.size += chunk?.size ?? 0
      if (!refused && files.has(id)) await put(stored, ...chunks)
      if (chunk) parts.push(chunk)
      tellProgress(stored, refused)
      run()
    }))

  const file: OpenFile = {
    ...{ id, kind, stored, parts, run, change },
    append: (chunk) => change({}, chunk),
    finish: () => change({ isWhole: true }),
    discard() {
      files.delete(id)
      underWay.delete(key)
      writing = writing.then(() => forget(id))
      run(true)
    },
  }
  files.set(id, file)
  return file
}

/** Starts an upload; with `whole` it is all there is, else chunks follow until `finish`. */
export function upload(stage: Stage, kind: AttachmentKind, mime: string, name = '', whole?: Blob): Upload {
  allowStorage(stage.settings.storage !== false)
  const id = createUuidV7()
  const numbers = { startedAt: Date.now(), heldUntil: 0, size: 0, sent: 0 }
  const file = openFile({ key: `f${id}`, id, url: writeUrl(stage, 'uploads'), kind, mime, name, ...numbers }, [])
  file.change({ isWhole: !!whole }, whole)
  // Locked for as long as the page lives, so that no other tab offers the recording as interrupted.
  if (!whole) withLock(`live:${id}`, () => new Promise(() => {}))
  return file
}

async function loadFile(stored: StoredFile): Promise<OpenFile> {
  const parts = (await list<Chunk>(`c${stored.id}`)).map(({ blob }) => blob)
  // The stored size may be older than the last chunk.
  return files.get(stored.id) ?? openFile({ ...stored, size: new Blob(parts).size }, parts)
}

/** Assigns uploads to a delivered submission; without one, resolves when their records are stored. */
export async function claimUploads(ids: readonly string[], owner?: string): Promise<void> {
  for (const id of ids) {
    const [stored] = await list<StoredFile>(`f${id}`)
    // A refused upload has no record, but its submission shows the refusal.
    await (stored ? await loadFile(stored) : files.get(id))?.change(owner ? { owner } : {})
  }
}

/** Stored submissions, which may name uploads. */
const readTexts = async () => JSON.stringify(await list('t'))

/** Resumes uploads of this page and of sent submissions, and deletes unclaimed ones. */
export async function resumeUploads(isEager: boolean): Promise<void> {
  const texts = await readTexts()
  for (const stored of await list<StoredFile>('f')) {
    const { id, owner, startedAt } = stored
    if (owner) await loadFile(stored)
    else if (!files.has(id) && !texts.includes(id) && Date.now() > startedAt + unclaimedMs) await forget(id)
  }
  for (const { run } of files.values()) run(isEager)
}

/**
 * Recordings that a closed tab left unfinished and no submission names, each once, finished as they are. None without Web
 * Locks, which tell the live tabs: such pages cannot record either.
 */
export async function takeInterrupted(): Promise<{ upload: Upload; blob: Blob; durationMs: number }[]> {
  const found = []
  const locks = await within((async () => navigator.locks.query())()).catch(() => {})
  const known = JSON.stringify(locks) + (await readTexts())
  for (const stored of locks ? await list<StoredFile>('f') : []) {
    if (stored.isWhole || files.has(stored.id) || known.includes(stored.id)) continue
    const upload = await loadFile(stored)
    upload.finish()
    const { parts } = upload
    const blob = new Blob([...parts], { type: stored.mime })
    if (blob.size) found.push({ upload, blob, durationMs: parts.length * chunkMs })
  }
  return found
}
