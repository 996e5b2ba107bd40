import type { Outcome } from '../loader/modules.ts'
import { fill, focus, type Panel, type Phase } from '../panel/state.ts'
import { deliver, keep, subscribe, withdraw } from '../transport/transport.ts'
import { followItem } from './following.ts'
import { buildSubmission } from './submission.ts'
import { validate } from './validate.ts'

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
  if (phase.kind === 'failed') p.box.querySelector('.failure')?.scrollIntoView({ block: 'nearest' })
  // Focus makes screen readers read it.
  else focus(p, 'h3')
  if (phase.kind === 'sent' && tried) followItem(p, tried, phase.number)
}

/** Withdraws the last attempt: the visitor is editing, so the next attempt is a new submission. */
export function markEdited(p: Panel): void {
  const { tried, phase } = p
  p.tried = undefined
  if (tried) withdraw(tried.id)
  p.set({ errors: {}, phase: phase.kind === 'failed' ? { kind: 'editing' } : phase })
}

/**
 * Checks and sends the form, with the files selected before; a running recording is stopped and sent too. If a file cannot
 * be added, the visitor reads why first.
 */
export async function submit(p: Panel): Promise<void> {
  const { stage, running, note } = p
  if (p.adding) {
    p.set({ phase: { kind: 'sending' } })
    await p.adding
    if (p.note && p.note !== note) return p.set({ phase: { kind: 'editing' } })
  }
  running?.recording?.stop()
  await running?.ended
  const errors = validate(p)
  const [first] = Object.keys(errors)
  p.set({ errors, copied: false, phase: { kind: first ? 'editing' : 'sending' } })
  if (first) return focus(p, `[name=${first}]`)
  if (!p.tried) {
    const submission = await stage.emit('beforesend', await buildSubmission(p))
    if (!submission) return p.set({ phase: { kind: 'editing' } })
    p.tried = submission
  }
  const { tried } = p
  p.removed?.upload.discard()
  p.set({ removed: undefined, delivered: p.files[0] ? 0 : 100 })
  // From here on a reload finds the submission in the outbox; a draft would duplicate it.
  if (await keep(stage, tried)) p.saveDraft()
  const outcome = await deliver(stage, tried.id)
  if (tried === p.tried) settle(p, outcome)
}

/** Follows submissions that wait to be sent, and uploads. */
export function followTransport(p: Panel): () => void {
  return subscribe((id, news) => {
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
