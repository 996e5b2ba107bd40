import { render } from 'preact'
import type { TransportModule } from '../loader/modules.ts'
import type { Mode, OpenPanel, Prefill, Stage, Texts } from '../loader/stage.ts'
import { Panel } from './form.tsx'
import css from './panel.css'
import { direction } from './strings.ts'

const styled = new WeakSet<ShadowRoot>()

/** Where the focus is, looking into the shadow roots of the page's own elements. */
function findFocused(): HTMLElement | null {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element as HTMLElement | null
}

/** Opens the panel in the loader's shadow root: a dialog that leaves the page usable, so the visitor can look things up. */
export function openPanel(stage: Stage, texts: Texts, _mode: Mode, prefill: Prefill): OpenPanel {
  const { root } = stage
  if (!styled.has(root)) {
    stage.addStyles(css)
    styled.add(root)
  }
  const opener = findFocused()
  const dialog = document.createElement('div')
  dialog.className = 'box'
  dialog.dir = direction
  dialog.setAttribute('role', 'dialog')
  dialog.setAttribute('aria-labelledby', 'title')
  const { colors } = texts.settings
  dialog.style.setProperty('--fill', colors.fill)
  dialog.style.setProperty('--fill-ink', colors.ink)
  dialog.style.setProperty('--light', colors.light)
  dialog.style.setProperty('--dark', colors.dark)
  root.append(dialog)

  const close = () => {
    if (!dialog.isConnected) return
    const hadFocus = dialog.contains(root.activeElement)
    stage.onKey = undefined
    render(null, dialog)
    dialog.remove()
    stage.setOpen(false)
    // Somebody who went on working in the page is not pulled back.
    if (hadFocus) opener?.focus({ preventScroll: true })
  }
  let submit = () => {}
  stage.onKey = (event) => {
    if (event.isComposing) return
    if (event.key === 'Escape') close()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && dialog.contains(root.activeElement)) submit()
  }
  render(
    <Panel
      stage={stage}
      settings={texts.settings}
      prefill={prefill}
      close={close}
      onSubmitKey={(run) => {
        submit = run
      }}
    />,
    dialog,
  )
  stage.setOpen(true)
  return { close }
}

/** Sends what earlier visits left. */
export function resume(stage: Stage, online: boolean): void {
  stage.load<TransportModule>('transport').then(
    (transport) => transport.resume(stage, online),
    () => {},
  )
}
