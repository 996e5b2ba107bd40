import type { Stage } from '../loader/stage.ts'
import type { ActionsModule, Panel, ToolsModule } from './state.ts'

/*
 * Calls of later stages from the form. The actions are requested when the panel opens, the tools when the pointer reaches
 * one; earlier clicks wait for them, and the visitor sees an error if they cannot be loaded.
 */

interface Stages {
  readonly actions: ActionsModule
  readonly tools: ToolsModule
}

async function load<Name extends keyof Stages>(p: Panel, name: Name): Promise<Stages[Name]> {
  const { stage } = p
  const [module] = await Promise.all([
    stage.load<Stages[Name]>(name),
    // The tools call the actions, and their sheet follows that of the actions.
    name === 'tools' && load(p, 'actions'),
  ])
  if (p[name] !== module) {
    stage.addStyles(module.css)
    Object.assign(p, { [name]: module })
    // Clears the note that the stage is missing.
    p.set({ note: '' })
  }
  return module
}

/** Loads stages that the visitor is about to need. A stage that fails is requested again when it is needed. */
export function preload({ stage }: Panel, names: readonly Parameters<Stage['load']>[0][]): void {
  for (const name of names) stage.load(name).catch(() => {})
}

/** Runs an action: synchronously once its stage is loaded, since browsers require a click right before some. */
export async function act<Name extends keyof Stages>(
  p: Panel,
  name: Name,
  run: (module: Stages[Name]) => unknown,
): Promise<void> {
  try {
    // The panel holds each stage under its name.
    await run((p[name] as Stages[Name] | undefined) ?? (await load(p, name)))
  } catch (error) {
    p.stage.emit('error', error)
    p.set({ items: 'hidden', note: p.t.notLoaded })
  }
}

/** Adds files, for which a submission waits. One that is being sent takes no more. */
export function addFiles(p: Panel, files: Iterable<File>): void {
  if (p.phase.kind === 'sending') return
  p.adding = Promise.all([p.adding, act(p, 'tools', (tools) => tools.addFiles(p, files))])
}

/** Checks and sends the form. */
export async function submit(p: Panel): Promise<void> {
  if (p.phase.kind === 'sending' || p.capturing) return
  if (!p.actions) p.set({ phase: { kind: 'sending' } })
  try {
    await (p.actions ?? (await load(p, 'actions'))).submit(p)
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
