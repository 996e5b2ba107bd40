import { render } from 'preact'
import type { OpenPanel, Prefill, Stage } from '../loader/stage.ts'
import { Panel } from './form.tsx'
import css from './panel.css'
import { direction } from './strings.ts'
import { themeProperties } from './theme.ts'

const styled = new WeakSet<ShadowRoot>()

/** Where the focus is, looking into the shadow roots of the page's own elements. */
function findFocused(): HTMLElement | null {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element as HTMLElement | null
}

/** Opens the panel in the loader's shadow root: a dialog that leaves the page usable, so the visitor can look things up. */
export function openPanel(stage: Stage, prefill: Prefill): OpenPanel {
  const { root, settings } = stage
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
  for (const [name, value] of Object.entries(themeProperties(settings.color))) dialog.style.setProperty(name, value)
  root.append(dialog)

  const close = () => {
    if (!dialog.isConnected) return
    const hadFocus = dialog.contains(root.activeElement)
    stage.onKey = undefined
    render(null, dialog)
    dialog.remove()
    stage.closed()
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
      prefill={prefill}
      close={close}
      onSubmitKey={(run) => {
        submit = run
      }}
    />,
    dialog,
  )
  return { close }
}
