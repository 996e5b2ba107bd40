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
      <div class="foot">
        <button type="submit" class="main" aria-disabled={`${isSending}`}>
          {isSending && <i class="spinner" />}
          {isSending ? t.sending : phase.kind === 'failed' ? t.retry : t.send}
        </button>
      </div>
      {settings.ownItems && button('quiet last', t.items, () => act(p, 'actions', ({ openItems }) => openItems(p)))}
    </form>
  )
}

/** The whole panel, from its state. */
export function viewPanel(p: Panel) {
  const { t, phase, items, actions, isInline } = p
  const { greeting, teamPicture } = p.settings
  const isList = items !== 'hidden'
  const isForm = !isList && !isOver(p)
  const title = isList ? t.items : phase.kind === 'sent' ? t.thanks : phase.kind === 'offline' ? t.notSentYet : t.title
  return (
    <div>
      {/* No <header>, which would be a banner beside that of the page. */}
      <div class="head">
        {isList && iconButton('back', t.back, () => actions?.closeItems(p))}
        {isForm && teamPicture && <img src={teamPicture} alt="" />}
        <h2 id="title">{title}</h2>
        {!isInline && iconButton('close', t.close, p.close)}
      </div>
      {/* Not part of the head, which stays in sight while the form scrolls. */}
      {isForm && greeting && <p class="note">{greeting}</p>}
      {isList ? actions?.viewItems(p) : isOver(p) ? actions?.viewResult(p) : viewForm(p)}
      {p.dragging && <div class="drop">{t.drop}</div>}
      <div role="status" class="hidden">
        {phase.kind === 'sending' ? t.sending : p.tools?.announce(p)}
      </div>
    </div>
  )
}
