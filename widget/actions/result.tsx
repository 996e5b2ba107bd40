import { fill, type Panel, type Phase } from '../panel/state.ts'
import { viewItem } from './items.tsx'

/** The result of sending: the item's number, or saved until the visitor is online. */
export function viewResult(p: Panel) {
  const { t, delivered, parts } = p
  const { button, icon } = parts
  // form.tsx shows the result only in these two phases.
  const phase = p.phase as Phase & { kind: 'sent' | 'offline' }
  const isSent = phase.kind === 'sent'
  return (
    <div class="result">
      <div class={`badge ${phase.kind}`}>{icon(isSent ? 'check' : 'offline', 28)}</div>
      <h3 tabindex={-1}>{isSent ? fill(t.receipt, { n: phase.number }) : t.offline}</h3>
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
      {isSent && p.own && (
        <ul class="own" aria-live="polite">
          {viewItem(p, p.own)}
        </ul>
      )}
      <div class="row actions">
        {button('plain', t.another, p.startOver)}
        {button('main', t.done, p.close)}
      </div>
    </div>
  )
}
