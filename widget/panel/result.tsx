import { button } from './controls.tsx'
import { icon } from './icons.tsx'
import { startOver } from './sending.ts'
import { fill, type Panel, type Phase } from './state.ts'

/** What became of it: arrived, with its number, or kept until the visitor is online. */
export function viewResult(p: Panel, phase: Phase & { kind: 'sent' | 'offline' }) {
  const { t, delivered } = p
  const isSent = phase.kind === 'sent'
  return (
    <div class="result">
      <div class={`badge ${phase.kind}`}>{icon(isSent ? 'check' : 'offline', 28)}</div>
      <h3 tabindex={-1}>{isSent ? `${t.thanks} ${fill(t.receipt, { n: phase.number })}` : t.offline}</h3>
      <p>{isSent ? t.arrived : phase.durable ? t.offlineKept : t.offlineInMemory}</p>
      {isSent && p.files[0] && (
        <p role="status">
          {typeof delivered === 'string'
            ? delivered
            : delivered < 100
              ? fill(t.uploading, { n: delivered })
              : t.uploaded}
        </p>
      )}
      <div class="row actions">
        {button('plain', t.another, () => startOver(p))}
        {button('main', t.done, p.close)}
      </div>
    </div>
  )
}

async function copy(p: Panel): Promise<void> {
  try {
    await navigator.clipboard.writeText(`${p.values.message}`)
  } catch {
    // Plain HTTP and some policies have no clipboard API; selecting the text lets the old command copy it.
    p.box.querySelector('textarea')?.select()
    document.execCommand('copy')
  }
  p.set({ copied: true })
}

/** Why it did not go, in the form, above the send button. The visitor's text is untouched. */
export function viewFailure(p: Panel, { title, reason }: Phase & { kind: 'failed' }) {
  const { t, settings } = p
  return (
    <div class="failure" role="alert">
      {icon('alert')}
      <div>
        <b>{title}</b>
        <p dir="auto">{reason}</p>
        <div class="row">
          {button('quiet', p.copied ? t.copied : t.copy, () => copy(p))}
          {settings.contactEmail && (
            <a class="quiet" href={`mailto:${settings.contactEmail}?body=${encodeURIComponent(`${p.values.message}`)}`}>
              {t.mail}
            </a>
          )}
        </div>
      </div>
    </div>
  )
}
