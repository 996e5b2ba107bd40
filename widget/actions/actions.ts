import type { TransportModule } from '../loader/modules.ts'
import type { ActionsModule, Panel } from '../panel/state.ts'
import { countWaiting, takeRefused } from '../transport/transport.ts'
import css from './actions.css'
import { closeItems, openItems, viewItems } from './items.tsx'
import { viewResult } from './result.tsx'
import { followTransport, markEdited, submit } from './sending.ts'

export * from '../transport/transport.ts'
export { closeItems, css, markEdited, openItems, submit, viewItems, viewResult }

/** Finds submissions of earlier visits that wait, or were refused. */
async function pickUp(p: Panel): Promise<void> {
  p.set({ waiting: await countWaiting() })
  const refused = await takeRefused()
  if (refused) {
    const { message, type } = refused.submission
    p.set({
      values: p.values.message ? p.values : { ...p.values, message, type },
      phase: { kind: 'failed', title: p.t.refusedBefore, reason: refused.reason },
    })
  }
}

/** Prepares an open panel: leftovers of earlier visits, and progress of sending. */
export function start(p: Panel): () => void {
  // Without them the visitor can still write and send.
  pickUp(p).catch(() => {})
  return followTransport(p)
}

;({ css, start, submit, markEdited, openItems, closeItems, viewItems, viewResult }) satisfies Omit<
  ActionsModule,
  keyof TransportModule
>
