import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { judgeContent } from '#server/features/files/content/judge-content.ts'
import type { Findings, NewUpload } from '#server/features/files/files.queries.ts'
import { derivedKey, type Storage } from '#server/platform/storage/storage.ts'
import { type DemoAttachment, toSentName } from './attach-files.ts'
import type { DemoItem } from './compose-demo.ts'

const folder = join(import.meta.dirname, 'files')

/** A file that lies in the storage, and what its rows say. */
export interface StoredDemoFile {
  readonly upload: NewUpload
  readonly bytes: number
  readonly findings: Findings
  readonly feedbackId: string
  readonly position: number
  readonly createdAt: Date
}

/**
 * Puts the files of the items where the product looks for them, as it would itself: each item has its own, under a key
 * that was never used, so that what became of an earlier demo's files does not matter.
 *
 * @param kept is told each key before anything lies under it, so that it can be removed again
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

/** What the product's own jobs would have found and made, where they have ffmpeg. */
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
  const events = JSON.parse(gunzipSync(content).toString()) as { timestamp: number }[]
  const laterMs = startedAt.getTime() - (events[0]?.timestamp ?? 0)
  return gzipSync(JSON.stringify(events.map((event) => ({ ...event, timestamp: event.timestamp + laterMs }))))
}
