import { act, submit } from './acting.ts'
import { viewAttachments } from './attachments.tsx'
import { button, iconButton } from './controls.tsx'
import { viewFailure } from './failure.tsx'
import { viewField } from './field-views.tsx'
import { fill, isOver, type Panel } from './state.ts'

function viewForm(p: Panel) {
  const { t, phase, settings, waiting } = p
  const isSending = phase.kind === 'sending'
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(p)
      }}
    >
      {p.asked.map((field) => [viewField(p, field), field.kind === 'message' && viewAttachments(p)])}
      {/* A honeypot: people can neither see nor reach it, programs fill it in. */}
      <div class="hidden" aria-hidden="true">
        <input
          name="website"
          tabindex={-1}
          autocomplete="off"
          onInput={({ currentTarget }) => {
            p.values.website = currentTarget.value
          }}
        />
      </div>
      {phase.kind === 'failed' && viewFailure(p, phase)}
      {waiting > 0 && phase.kind === 'editing' && <p class="note">{fill(t.waiting, { n: waiting })}</p>}
      <button type="submit" class="main" aria-disabled={`${isSending}`}>
        {isSending && <i class="spinner" />}
        {isSending ? t.sending : phase.kind === 'failed' ? t.retry : t.send}
      </button>
      {settings.ownItems && button('quiet last', t.items, () => act(p, ({ openItems }) => openItems(p)))}
    </form>
  )
}

/** The whole panel, from its state. */
export function viewPanel(p: Panel) {
  const { t, phase, items, actions, isInline } = p
  const isList = items !== 'hidden'
  return (
    <div>
      <header>
        {isList && iconButton('back', t.back, () => actions?.closeItems(p))}
        <h2 id="title">{isList ? t.items : t.title}</h2>
        {!isInline && iconButton('close', t.close, p.close)}
      </header>
      {isList ? actions?.viewItems(p) : isOver(p) ? actions?.viewResult(p) : viewForm(p)}
      {p.dragging && <div class="drop">{t.drop}</div>}
      <div role="status" class="hidden">
        {phase.kind === 'sending' ? t.sending : actions?.announce(p)}
      </div>
    </div>
  )
}
