import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PanelSettings } from '#contract/widget-settings.ts'
import type { TransportModule } from '../loader/modules.ts'
import type { Prefill, Stage } from '../loader/stage.ts'
import { type Draft, emptyDraft, loadDraft, saveDraft } from './draft.ts'
import { EmailField, MessageField, RatingField, TypeField } from './fields.tsx'
import { Icon } from './icons.tsx'
import { Failure, Result } from './result.tsx'
import { strings, types } from './strings.ts'
import { countCharacters, looksLikeEmail, maxMessageLength } from './submission.ts'
import { useSending } from './use-sending.ts'

interface Errors {
  message?: string
  email?: string
}

function validate(draft: Draft): Errors {
  const length = countCharacters(draft.message.trim())
  return {
    ...(!length && { message: strings.messageMissing }),
    ...(length > maxMessageLength && { message: strings.messageTooLong }),
    ...(draft.email.trim() && !looksLikeEmail(draft.email.trim()) && { email: strings.emailInvalid }),
  }
}

function startDraft(stage: Stage, prefill: Prefill): Draft {
  const draft = loadDraft()
  const { type, message, rating, email } = prefill
  return {
    type: types.find(({ value }) => value === type)?.value ?? draft.type,
    message: message ?? draft.message,
    rating: rating && rating >= 1 && rating <= 5 ? Math.round(rating) : draft.rating,
    email: email ?? (draft.email || (stage.visitor.email ?? '')),
  }
}

export interface PanelProps {
  stage: Stage
  settings: PanelSettings
  prefill: Prefill
  close(): void
  /** Where the loader's keyboard guard finds "send now" (Ctrl or Command with Enter). */
  onSubmitKey(submit: () => void): void
}

export function Panel({ stage, settings, prefill, close, onSubmitKey }: PanelProps) {
  const [draft, setDraft] = useState(() => startDraft(stage, prefill))
  const [errors, setErrors] = useState<Errors>({})
  const [waiting, setWaiting] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const { phase, setPhase, send, edited, restart } = useSending(stage)

  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus()

  // At once, not after the next frame: a quick typist's first letters belong here.
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), [])

  useEffect(() => {
    stage.load<TransportModule>('transport').then(
      async (transport) => {
        setWaiting(await transport.countWaiting())
        const refused = await transport.takeRefused()
        if (!refused) return
        const { message, type } = refused.submission
        setDraft((now) => (now.message ? now : { ...now, message, type }))
        setPhase({ kind: 'failed', title: strings.refusedBefore, reason: refused.reason })
      },
      () => {},
    )
  }, [stage, setPhase])

  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    saveDraft(next)
    setErrors({})
    edited()
  }

  const submit = () => {
    if (phase.kind === 'sending') return
    const found = validate(draft)
    setErrors(found)
    const [first] = Object.keys(found)
    if (first) focus(first)
    else send(draft)
  }
  onSubmitKey(submit)

  const fields = { draft, change, locked: phase.kind === 'sending' }
  const isDone = phase.kind === 'sent' || phase.kind === 'offline'
  const startOver = () => {
    setDraft({ ...emptyDraft, email: draft.email })
    restart()
    requestAnimationFrame(() => focus('message'))
  }

  return (
    <>
      <header>
        <h2 id="title">{strings.title}</h2>
        <button type="button" class="close" aria-label={strings.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {isDone ? (
        <Result phase={phase} onDone={close} onAnother={startOver} />
      ) : (
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <TypeField {...fields} />
          <MessageField {...fields} error={errors.message} />
          {settings.rating !== 'none' && <RatingField {...fields} />}
          {settings.email !== 'hidden' && <EmailField {...fields} error={errors.email} />}
          {phase.kind === 'failed' && <Failure phase={phase} text={draft.message} />}
          {waiting > 0 && phase.kind === 'editing' && <p class="waiting">{strings.waiting(waiting)}</p>}
          <button type="submit" class="send" aria-disabled={phase.kind === 'sending'}>
            {phase.kind === 'sending' && <span class="spinner" />}
            {phase.kind === 'sending' ? strings.sending : phase.kind === 'failed' ? strings.retry : strings.send}
          </button>
        </form>
      )}
      <div role="status" class="hidden">
        {phase.kind === 'sending' && strings.sending}
      </div>
    </>
  )
}
