import type { ActionsModule } from '../loader/modules.ts'
import type { Panel } from './state.ts'

/*
 * The way from the form to what the visitor does with it. That is another stage, on its way since the panel was opened;
 * whoever is faster than the network waits for it, and is told when it does not come.
 */

async function loadActions(p: Panel): Promise<ActionsModule> {
  const actions = await p.stage.load<ActionsModule>('actions')
  if (p.actions !== actions) {
    p.actions = actions
    // What was said of it being missing is over.
    p.set({ note: '' })
  }
  return actions
}

/** Does something with the actions: at once when they are there, since browsers ask for a click right before. */
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

/** A field was changed. While it is being sent, what is sent cannot be. */
export function changeValue(p: Panel, name: string, value: string | boolean): void {
  if (p.phase.kind !== 'sending') {
    p.values = { ...p.values, [name]: value }
    p.saveDraft(p.values)
    p.actions?.markEdited(p)
  }
  p.set({})
}
