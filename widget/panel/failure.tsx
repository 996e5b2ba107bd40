import { button } from './controls.tsx'
import { icon } from './icons.tsx'
import type { Panel, Phase } from './state.ts'

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

/** Why sending failed, above the send button. The visitor's text stays. */
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
