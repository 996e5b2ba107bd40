import type { ActionsModule, Panel } from './state.ts'

/*
 * Calls of the actions stage from the form. The stage is requested when the panel opens; earlier clicks wait for it, and
 * the visitor sees an error if it cannot be loaded.
 */

async function loadActions(p: Panel): Promise<ActionsModule> {
  const actions = await p.stage.load<ActionsModule>('actions')
  if (p.actions !== actions) {
    p.actions = actions
    // Clears the note that the stage is missing.
    p.set({ note: '' })
  }
  return actions
}

/** Runs an action: synchronously once the stage is loaded, since browsers require a click right before some. */
export async function act(p: Panel, run: (actions: ActionsModule) => unknown): Promise<void> {
  try {
    await run(p.actions ?? (await loadActions(p)))
  } catch (error) {
    p.stage.emit('error', error)
    p.set({ items: 'hidden', note: p.t.notLoaded })
  }
}

/** Checks and sends the form. */
export async function submit(p: Panel): Promise<void> {
  if (p.phase.kind === 'sending' || p.capturing) return
  if (!p.actions) p.set({ phase: { kind: 'sending' } })
  try {
    await (p.actions ?? (await loadActions(p))).submit(p)
  } catch (error) {
    p.stage.emit('error', error)
    p.set({ phase: { kind: 'failed', title: p.t.notSent, reason: p.t.notLoaded } })
  }
}

/** Changes a field's value. Ignored while the form is being sent. */
export function changeValue(p: Panel, name: string, value: string | boolean): void {
  if (p.phase.kind !== 'sending') {
    p.values = { ...p.values, [name]: value }
    p.saveDraft(p.values)
    p.actions?.markEdited(p)
  }
  p.set({})
}
