import type { Mode, OpenPanel, Prefill, Stage, Texts } from '../loader/stage.ts'
import { act, addFiles, submit } from './acting.ts'
import { addCommands, completeStage } from './commands.ts'
import { parts } from './controls.tsx'
import { loadDraft, readPrefill, saveDraft } from './draft.ts'
import { listFields } from './fields.ts'
import { viewPanel } from './form.tsx'
import { createFrame } from './frame.ts'
import { render } from './render.ts'
import { type ActionsModule, focus, freshState, isOver, type Panel } from './state.ts'

/** Keeps attachments for when the panel is opened again on this page. */
const panels = new WeakMap<Stage, Panel>()

/**
 * Opens the panel: a dialog that leaves the page usable, so that the visitor can look things up. In inline mode it fills
 * an element of the page instead.
 */
function openPanel(stage: Stage, texts: Texts, mode: Mode = 'text', prefill: Prefill = {}): OpenPanel {
  const isInline = 'inline' in stage.host.dataset
  // The rest is set before the panel is shown.
  const p = panels.get(stage) ?? ({ ...freshState(), tried: undefined, actions: undefined, tools: undefined } as Panel)
  panels.set(stage, p)
  if (isOver(p)) Object.assign(p, freshState())
  let isOpen = true
  let stop = () => {}

  const frame = createFrame(stage, texts, {
    close() {
      if (p.unfolded) p.set({ unfolded: '' })
      // Escape ends no recording: it is pressed too easily.
      else if (!p.running && !p.away) p.close()
    },
    submit: () => submit(p),
    drag: (dragging) => p.set({ dragging }),
    drop: (files) => addFiles(p, files),
  })
  Object.assign(p, {
    stage,
    isInline,
    parts,
    settings: texts.settings,
    t: texts.strings,
    box: frame.box,
    started: Date.now(),
    items: mode === 'items' ? 'loading' : 'hidden',
    values: { ...loadDraft(stage), ...p.values, ...readPrefill(prefill) },
    set(part) {
      Object.assign(p, part)
      if (!isOpen) return
      p.asked = listFields(p)
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
      stop()
      frame.remove()
      stage.setOpen(false)
    },
    saveDraft: (values) => saveDraft(stage, values),
    startOver() {
      const { email = '', name = '' } = p.values
      p.tried = undefined
      p.set({ ...freshState(), values: { email, name } })
      focus(p, 'textarea')
    },
  } satisfies Partial<Panel>)

  p.set({})
  // At once, not after the next frame, so that a quick typist's first letters arrive here.
  if (!isInline) focus(p, 'textarea')
  // The visitor can write now; the stage that keeps and sends the text loads meanwhile.
  setTimeout(() => {
    act(p, 'actions', async (actions) => {
      if (!isOpen) return
      stop = actions.start(p)
      if (mode === 'items') actions.openItems(p)
      const found = await actions.takeInterrupted()
      if (found[0]) act(p, 'tools', ({ restore }) => restore(p, found))
    })
    if (mode === 'text' || mode === 'items') return
    act(p, 'tools', ({ record, takePicture }) => {
      if (!isOpen) return
      if (mode === 'voice') return record(p, mode)
      if (mode === 'screenshot') return takePicture(p, 'viewport')
      p.set({ unfolded: mode })
    })
  })
  stage.onCommand = () => p.set({})
  stage.setOpen(true)
  return { close: p.close }
}

/** Called by the loader with the loaded panel: takes over its commands. */
export async function startPanel(stage: Stage): Promise<void> {
  addCommands(stage, await stage.loadTexts(), openPanel)
}

/** Sends submissions of earlier visits, without waiting for the back-off. */
export function resume(stage: Stage): void {
  completeStage(stage)
  stage.load<ActionsModule>('actions').then(
    (actions) => actions.resume(stage, true),
    () => {},
  )
}
