import type { AttachmentKind } from '#contract/files.ts'
import type { Submission } from '#contract/widget.ts'
import type { TransportModule, Upload } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { readContext } from './context.ts'
import { subscribe } from './news.ts'
import { listOwnItems } from './own-items.ts'
import { setPersistent } from './store.ts'
import { deliver, keepSubmission, listSubmissions, resumeSubmissions, withdraw } from './submissions.ts'
import { findInterrupted, resumeUploads, startUpload } from './uploads.ts'

export { deliver, listOwnItems, readContext, subscribe, withdraw }

/** Starts an upload; with `whole` it is all there is, else chunks follow until `finish`. */
export function upload(stage: Stage, kind: AttachmentKind, mime: string, name?: string, whole?: Blob): Upload {
  setPersistent(stage.settings.storage)
  return startUpload(stage, kind, mime, name, whole)
}

/** Keeps a submission before anything else happens to it. Resolves to whether it survives this page, with its files. */
export function keep(stage: Stage, submission: Submission): Promise<boolean> {
  setPersistent(stage.settings.storage)
  return keepSubmission(stage, submission)
}

/** Everything that may name an upload. */
async function listNames(): Promise<string> {
  return JSON.stringify(await listSubmissions())
}

/**
 * Sends what waits and is due, oldest first, texts before files.
 * @param isEager the network has just come back: our own back-off no longer means anything, the server's wish still does
 */
export async function resume(stage: Stage, isEager: boolean): Promise<void> {
  setPersistent(stage.settings.storage)
  await resumeSubmissions(stage, isEager)
  await resumeUploads(isEager, await listNames())
}

/** How many submissions wait to be sent. */
export async function countWaiting(): Promise<number> {
  return (await listSubmissions()).filter(({ refusal }) => !refusal).length
}

/** Hands over, once, a submission that was refused while nobody was looking. */
export async function takeRefused(): Promise<{ submission: Submission; reason: string } | undefined> {
  const item = (await listSubmissions()).find(({ refusal }) => refusal)
  if (!item?.refusal) return undefined
  await withdraw(item.id)
  return { submission: JSON.parse(item.body) as Submission, reason: item.refusal }
}

/** Recordings that a closed tab left unfinished, each once: what was recorded until then. */
export async function takeInterrupted(): Promise<{ upload: Upload; blob: Blob; durationMs: number }[]> {
  return findInterrupted(await listNames())
}

;({
  upload,
  keep,
  deliver,
  subscribe,
  withdraw,
  resume,
  countWaiting,
  takeRefused,
  listOwnItems,
  takeInterrupted,
  readContext,
}) satisfies TransportModule
