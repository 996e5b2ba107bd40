import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Submission } from '#contract/widget.ts'
import type { Outcome, TransportModule } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
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
  const current = useRef<{ id: string; draft: Draft; submission: Submission } | null>(null)

  const settle = useCallback((draft: Draft, outcome: Outcome) => {
    const isSafe = outcome.kind === 'sent' || (outcome.kind === 'waiting' && outcome.durable)
    saveDraft(isSafe ? emptyDraft : draft)
    if (outcome.kind === 'refused') current.current = null
    setPhase(phaseOf(outcome))
  }, [])

  useEffect(() => {
    let stop: (() => void) | undefined
    let gone = false
    stage.load<TransportModule>('transport').then(
      (transport) => {
        if (gone) return
        stop = transport.subscribe((id, outcome) => {
          if (id === current.current?.id && 'kind' in outcome) settle(current.current.draft, outcome)
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
      let transport: TransportModule
      try {
        transport = await stage.load<TransportModule>('transport')
      } catch {
        return setPhase({ kind: 'failed', title: strings.refusedTitle, reason: strings.notLoaded })
      }
      if (current.current?.draft !== draft) {
        const id = createUuidV7()
        const submission = { id, ...buildSubmission(draft, stage.visitor, stage.metadata) }
        current.current = { id, draft, submission }
      }
      const { id, submission } = current.current
      // From here on a reload finds it in the outbox; a draft as well would make two of it.
      if (await transport.keep(stage, submission)) saveDraft(emptyDraft)
      const outcome = await transport.deliver(stage, id)
      if (id === current.current?.id) settle(draft, outcome)
    },
    /** The visitor changed something: what was tried before is taken back, and the next try is a new submission. */
    edited() {
      const tried = current.current
      current.current = null
      if (tried) stage.load<TransportModule>('transport').then((transport) => transport.withdraw(tried.id))
      if (phase.kind !== 'editing') setPhase({ kind: 'editing' })
    },
    /** Starts over after a submission that was sent or is safely kept. */
    restart() {
      current.current = null
      setPhase({ kind: 'editing' })
    },
  }
}
