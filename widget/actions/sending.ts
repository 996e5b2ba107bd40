import type { Outcome, TransportModule } from '../loader/modules.ts'
import { fill, focus, type Panel, type Phase } from '../panel/state.ts'
import { buildSubmission } from './submission.ts'
import { validate } from './validate.ts'

export const loadTransport = ({ stage }: Panel) => stage.load<TransportModule>('transport')

function explain({ t }: Panel, outcome: Outcome): Phase {
  if (outcome.kind === 'sent') return outcome
  if (outcome.kind === 'refused') return { kind: 'failed', title: t.notSent, reason: outcome.reason }
  const { why, durable } = outcome
  if (why === 'offline') return { kind: 'offline', durable }
  const reason = { network: t.network, server: t.serverTrouble, busy: t.busy }[why]
  return { kind: 'failed', title: t.notSentYet, reason: `${reason} ${durable ? t.kept : t.keptInMemory}` }
}

/** Shows the outcome of a submission. */
function settle(p: Panel, outcome: Outcome): void {
  const { stage, tried } = p
  const phase = explain(p, outcome)
  if (outcome.kind === 'sent') stage.emit('submit', { id: tried?.id, number: outcome.number })
  else stage.emit('submiterror', { id: tried?.id, ...outcome })
  // A submission in the outbox is no draft any more: both would become items.
  p.saveDraft(outcome.kind === 'sent' || (outcome.kind === 'waiting' && outcome.durable) ? undefined : p.values)
  if (outcome.kind === 'refused') p.tried = undefined
  p.set({ phase })
  // Focus makes screen readers read it; on a small screen the button would be out of view.
  if (phase.kind === 'failed') p.box.querySelector('.main')?.scrollIntoView({ block: 'nearest' })
  else focus(p, 'h3')
}

/** Withdraws the last attempt: the visitor is editing, so the next attempt is a new submission. */
export function markEdited(p: Panel): void {
  const { tried, phase } = p
  p.tried = undefined
  if (tried) loadTransport(p).then((transport) => transport.withdraw(tried.id))
  p.set({ errors: {}, phase: phase.kind === 'failed' ? { kind: 'editing' } : phase })
}

/** Checks and sends the form; a running recording is stopped and sent too. */
export async function submit(p: Panel): Promise<void> {
  const { stage, running } = p
  running?.recording?.stop()
  await running?.ended
  const errors = validate(p)
  const [first] = Object.keys(errors)
  p.set({ errors, copied: false, phase: { kind: first ? 'editing' : 'sending' } })
  if (first) return focus(p, `[name=${first}]`)
  const transport = await loadTransport(p)
  if (!p.tried) {
    const submission = await stage.emit('beforesend', await buildSubmission(p, transport))
    if (!submission) return p.set({ phase: { kind: 'editing' } })
    p.tried = submission
  }
  const { tried } = p
  p.removed?.upload.discard()
  p.set({ removed: undefined, delivered: p.files[0] ? 0 : 100 })
  // From here on a reload finds the submission in the outbox; a draft would duplicate it.
  if (await transport.keep(stage, tried)) p.saveDraft()
  const outcome = await transport.deliver(stage, tried.id)
  if (tried === p.tried) settle(p, outcome)
}

/** Follows submissions that wait to be sent, and uploads. */
export function listenToTransport(p: Panel, transport: TransportModule): () => void {
  return transport.subscribe((id, news) => {
    const isTried = id === p.tried?.id
    if ('kind' in news) {
      if (isTried) settle(p, news)
      return
    }
    const { sentBytes, totalBytes, refused } = news
    const reason = refused && fill(p.t.uploadRefused, { reason: refused })
    if (isTried) p.set({ delivered: reason || Math.floor((sentBytes / totalBytes) * 100) })
    else p.set({ progress: { ...p.progress, [id]: sentBytes }, note: reason || p.note })
  })
}
