import type { Submission } from '#contract/widget.ts'
import type { TransportModule } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { readContext } from './context.ts'
import { subscribe } from './news.ts'
import { listOwnItems } from './own-items.ts'
import { deliver, keep, listSubmissions, resumeSubmissions, withdraw } from './submissions.ts'
import { resumeUploads, takeInterrupted, upload } from './uploads.ts'

export { deliver, keep, listOwnItems, readContext, subscribe, takeInterrupted, upload, withdraw }

/**
 * Sends waiting submissions and files, oldest first, texts before files.
 * @param isEager the network is back: ignores the back-off, but not the server's Retry-After
 */
export async function resume(stage: Stage, isEager: boolean): Promise<void> {
  await resumeSubmissions(stage, isEager)
  await resumeUploads(isEager)
}

/** How many submissions wait to be sent. */
export async function countWaiting(): Promise<number> {
  return (await listSubmissions()).filter(({ refusal }) => !refusal).length
}

/** Returns, once, a submission that was refused in the background. */
export async function takeRefused(): Promise<{ submission: Submission; reason: string } | undefined> {
  for (const { id, body, refusal } of await listSubmissions()) {
    if (!refusal) continue
    await withdraw(id)
    // Written by this module.
    return { submission: JSON.parse(body) as Submission, reason: refusal }
  }
  return undefined
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
