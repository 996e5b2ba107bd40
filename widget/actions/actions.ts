import type { ActionsModule, Panel } from '../panel/state.ts'
import css from './actions.css'
import { viewAttached } from './attached.tsx'
import { addFiles, attach, takePicture, toggleReplay } from './attaching.ts'
import { closeItems, openItems, viewItems } from './items.tsx'
import { announce } from './recorder.tsx'
import { record } from './recording.ts'
import { viewResult } from './result.tsx'
import { listenToTransport, loadTransport, markEdited, submit } from './sending.ts'

export {
  addFiles,
  announce,
  closeItems,
  markEdited,
  openItems,
  record,
  submit,
  takePicture,
  toggleReplay,
  viewAttached,
  viewItems,
  viewResult,
}

/** Finds leftovers of earlier visits: waiting or refused submissions, interrupted recordings. */
async function pickUp(p: Panel): Promise<void> {
  const transport = await loadTransport(p)
  p.set({ waiting: await transport.countWaiting() })
  const refused = await transport.takeRefused()
  if (refused) {
    const { message, type } = refused.submission
    p.set({
      values: p.values.message ? p.values : { ...p.values, message, type },
      phase: { kind: 'failed', title: p.t.refusedBefore, reason: refused.reason },
    })
  }
  for (const { upload, blob, durationMs } of await transport.takeInterrupted()) {
    upload.finish()
    attach(p, { upload, blob, name: p.t[upload.kind], durationMs })
    p.set({ note: p.t.interrupted })
  }
}

/** Prepares an open panel: leftovers of earlier visits, progress of sending, and the stages for screenshots. */
export function start(p: Panel): () => void {
  const { stage, settings } = p
  let isOpen = true
  let stop = () => {}
  stage.addStyles(css)
  const prepare = async () => {
    const transport = await loadTransport(p)
    if (!isOpen) return
    stop = listenToTransport(p, transport)
    await pickUp(p)
    for (const name of ['capture', 'annotate'] as const)
      if (isOpen && settings.capture.screenshot) await stage.load(name)
  }
  // A stage that failed to load is requested again when it is needed.
  prepare().catch(() => {})
  return () => {
    isOpen = false
    stop()
  }
}

;({
  start,
  submit,
  markEdited,
  addFiles,
  takePicture,
  record,
  toggleReplay,
  openItems,
  closeItems,
  viewAttached,
  viewItems,
  viewResult,
  announce,
}) satisfies ActionsModule
