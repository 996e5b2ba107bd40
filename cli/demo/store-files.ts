import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { judgeContent } from '#server/features/files/content/judge-content.ts'
import type { Findings, NewUpload } from '#server/features/files/files.queries.ts'
import { derivedKey, type Storage } from '#server/platform/storage/storage.ts'
import { type DemoAttachment, toSentName } from './attach-files.ts'
import type { DemoItem } from './demo-item.ts'

const folder = join(import.meta.dirname, 'files')

/** A stored file and the values of its rows. */
export interface StoredDemoFile {
  readonly upload: NewUpload
  readonly bytes: number
  readonly findings: Findings
  readonly feedbackId: string
  readonly position: number
  readonly createdAt: Date
}

/**
 * Stores the files of the items as the product would: each item has its own, under a new key, independent of an earlier
 * demo's files.
 *
 * @param kept gets each key before its file is stored, so that it can be removed again
 */
export async function storeFiles(
  storage: Storage,
  organizationId: string,
  items: readonly DemoItem[],
  kept: (storageKey: string) => void,
): Promise<StoredDemoFile[]> {
  const stored: StoredDemoFile[] = []
  for (const { projectId, createdAt, files, submission } of items) {
    for (const [position, attachment] of files.entries()) {
      const storageKey = `${organizationId}/${randomUUID()}`
      kept(storageKey)
      const { file, id } = attachment
      const content = await readContent(attachment)
      await storage.append(storageKey, Readable.from([content]), 0)
      await storage.finish(storageKey)
      const upload: NewUpload = {
        organizationId,
        id,
        projectId,
        kind: file.kind,
        name: toSentName(file),
        declaredBytes: content.length,
        declaredMime: null,
        storageKey,
      }
      const findings = await findOut(storage, upload, attachment)
      stored.push({ upload, bytes: content.length, findings, feedbackId: submission.id, position, createdAt })
    }
  }
  return stored
}

/** The facts and derivatives that the product's jobs would produce with ffmpeg. */
async function findOut(storage: Storage, upload: NewUpload, { file }: DemoAttachment): Promise<Findings> {
  const { storageKey, kind, name, declaredBytes } = upload
  const verdict = await storage.withLocalFile(storageKey, (path) =>
    judgeContent(path, { kind, name, bytes: declaredBytes ?? 0 }),
  )
  if ('refusal' in verdict) throw new Error(`${file.file} of the demo: ${verdict.refusal}`)
  const made = new Map<string, string>()
  for (const derivative of file.derivatives) {
    const key = derivedKey(storageKey, derivative)
    await storage.put(key, join(folder, `${file.file.slice(0, file.file.lastIndexOf('.'))}.${derivative}`))
    made.set(derivative, key)
  }
  return {
    state: 'ready',
    ...verdict,
    ...file.facts,
    playbackKey: made.get('mp4') ?? null,
    posterKey: made.get('jpg') ?? null,
  }
}

async function readContent({ file, startedAt }: DemoAttachment): Promise<Buffer> {
  const content = await readFile(join(folder, file.file))
  if (file.kind !== 'replay') return content
  // Our own recordings.
  const events = JSON.parse(gunzipSync(content).toString()) as { timestamp: number }[]
  const laterMs = startedAt.getTime() - (events[0]?.timestamp ?? 0)
  return gzipSync(JSON.stringify(events.map((event) => ({ ...event, timestamp: event.timestamp + laterMs }))))
}
