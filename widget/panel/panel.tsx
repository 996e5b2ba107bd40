import type { TransportModule } from '../loader/modules.ts'
import type { Mode, OpenPanel, Prefill, Stage, Texts } from '../loader/stage.ts'
import { addFiles, attach, takePicture } from './attaching.ts'
import { addCommands, completeStage } from './commands.ts'
import { loadDraft, readPrefill } from './draft.ts'
import { viewPanel } from './form.tsx'
import { createFrame } from './frame.ts'
import { openItems } from './items.tsx'
import { record } from './recording.ts'
import { render } from './render.ts'
import { listenToTransport, loadTransport, submit } from './sending.ts'
import { focus, freshState, isOver, type Panel } from './state.ts'

/** What the visitor had attached is there again when it is opened again on this page. */
const panels = new WeakMap<Stage, Panel>()

/** Finds out what earlier visits left: waiting, refused, or interrupted while recording. */
async function pickUp(p: Panel, transport: TransportModule): Promise<void> {
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

/**
 * Opens the panel: a dialog that leaves the page usable, so that the visitor can look things up. In inline mode it fills
 * an element of the page instead.
 */
function openPanel(stage: Stage, texts: Texts, mode: Mode = 'text', prefill: Prefill = {}): OpenPanel {
  const isInline = 'inline' in stage.host.dataset
  const p = panels.get(stage) ?? ({ ...freshState(), tried: undefined } as Panel)
  panels.set(stage, p)
  if (isOver(p)) Object.assign(p, freshState())
  let isOpen = true
  let stopListening = () => {}

  const frame = createFrame(stage, texts, {
    close() {
      if (p.unfolded) p.set({ unfolded: '' })
      // Ending a recording takes more than a key pressed by the way.
      else if (!p.running && !p.away) p.close()
    },
    submit: () => submit(p),
    drag: (dragging) => p.set({ dragging }),
    drop: (files) => addFiles(p, files),
  })
  Object.assign(p, {
    stage,
    isInline,
    settings: texts.settings,
    t: texts.strings,
    box: frame.box,
    started: Date.now(),
    items: 'hidden',
    values: { ...loadDraft(stage), ...p.values, ...readPrefill(prefill) },
    set(part) {
      Object.assign(p, part)
      if (!isOpen) return
      frame.update(p)
      render(viewPanel(p), p.box)
    },
    close() {
      if (!isOpen) return
      p.running?.recording?.stop()
      p.removed?.upload.discard()
      Object.assign(p, { removed: undefined, unfolded: '', small: false, away: false })
      isOpen = false
      stage.onCommand = undefined
      stopListening()
      frame.remove()
      stage.setOpen(false)
    },
  } satisfies Partial<Panel>)

  p.set({})
  // At once, not after the next frame: a quick typist's first letters belong here.
  if (!isInline) focus(p, 'textarea')
  stage.onCommand = () => p.set({})
  stage.setOpen(true)
  if (mode === 'items') openItems(p)
  else if (mode === 'voice') record(p, mode)
  else if (mode === 'screenshot') takePicture(p, 'viewport')
  else if (mode === 'screen')
    p.set({ unfolded: mode })

    // First what the visitor waits for; then what this panel is going to need.
  ;(window.requestIdleCallback ?? setTimeout)(async () => {
    try {
      const transport = await loadTransport(p)
      if (!isOpen) return
      stopListening = listenToTransport(p, transport)
      await pickUp(p, transport)
      for (const name of ['capture', 'annotate'] as const) {
        if (isOpen && p.settings.capture.screenshot) await stage.load(name)
      }
    } catch {
      // Asked for again when it is needed.
    }
  })
  return { close: p.close }
}

/** The loader has the panel: from here on its commands are ours. */
export function startPanel(stage: Stage, texts: Texts): void {
  addCommands(stage, texts, openPanel)
}

/** Sends what earlier visits left. Whoever comes back to the page does not wait for our own back-off. */
export function resume(stage: Stage): void {
  completeStage(stage)
  stage.load<TransportModule>('transport').then(
    (transport) => transport.resume(stage, true),
    () => {},
  )
}
