import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Stage } from '../loader/stage.ts'
import type { Outcome, Transport } from '../transport/transport.ts'
import { createUuidV7 } from '../transport/uuid-v7.ts'
import { type Draft, emptyDraft, saveDraft } from './draft.ts'
import { strings } from './strings.ts'
import { buildSubmission } from './submission.ts'

export type Phase =
  | { kind: 'editing' }
  | { kind: 'sending' }
  | { kind: 'sent'; number: number }
  | { kind: 'offline'; durable: boolean }
  | { kind: 'failed'; title: string; reason: string }

const reasons = {
  network: strings.unreachable,
  offline: strings.unreachable,
  server: strings.serverTrouble,
  busy: strings.busy,
}

function phaseOf(outcome: Outcome): Phase {
  if (outcome.kind === 'sent') return outcome
  if (outcome.kind === 'refused') return { kind: 'failed', title: strings.refusedTitle, reason: outcome.reason }
  if (outcome.why === 'offline') return { kind: 'offline', durable: outcome.durable }
  const kept = outcome.durable ? strings.kept : strings.keptInMemory
  return { kind: 'failed', title: strings.failedTitle, reason: `${reasons[outcome.why]} ${kept}` }
}

/**
 * Carries a draft to the server. A submission keeps its id as long as the visitor does not change it, so that pressing
 * "Try again" can never make two of one.
 */
export function useSending(stage: Stage) {
  const [phase, setPhase] = useState<Phase>({ kind: 'editing' })
  const current = useRef<{ id: string; draft: Draft; body: string } | null>(null)

  const settle = useCallback((draft: Draft, outcome: Outcome) => {
    const isSafe = outcome.kind === 'sent' || (outcome.kind === 'waiting' && outcome.durable)
    saveDraft(isSafe ? emptyDraft : draft)
    if (outcome.kind === 'refused') current.current = null
    setPhase(phaseOf(outcome))
  }, [])

  useEffect(() => {
    let stop: (() => void) | undefined
    let gone = false
    stage.loadTransport().then(
      (transport) => {
        if (gone) return
        stop = transport.subscribe((id, outcome) => {
          if (id === current.current?.id) settle(current.current.draft, outcome)
        })
      },
      () => {},
    )
    return () => {
      gone = true
      stop?.()
    }
  }, [stage, settle])

  return {
    phase,
    setPhase,
    async send(draft: Draft) {
      setPhase({ kind: 'sending' })
      let transport: Transport
      try {
        transport = await stage.loadTransport()
      } catch {
        return setPhase({ kind: 'failed', title: strings.refusedTitle, reason: strings.notLoaded })
      }
      if (current.current?.draft !== draft) {
        const id = createUuidV7()
        const body = JSON.stringify({ id, ...buildSubmission(draft, stage.visitor, stage.metadata) })
        current.current = { id, draft, body }
      }
      const { id, body } = current.current
      // From here on a reload finds it in the outbox; a draft as well would make two of it.
      if (await transport.keep(id, stage.submissionsUrl, body)) saveDraft(emptyDraft)
      const outcome = await transport.deliver(id, stage.submissionsUrl, body)
      if (id === current.current?.id) settle(draft, outcome)
    },
    /** The visitor changed something: what was tried before is taken back, and the next try is a new submission. */
    edited() {
      const tried = current.current
      current.current = null
      if (tried) stage.loadTransport().then((transport) => transport.withdraw(tried.id))
      if (phase.kind !== 'editing') setPhase({ kind: 'editing' })
    },
    /** Starts over after a submission that was sent or is safely kept. */
    restart() {
      current.current = null
      setPhase({ kind: 'editing' })
    },
  }
}
