import type { LoaderSettings } from '#contract/widget-settings.ts'
import css from './launcher.css'

/** The button and the shadow root it shares with the panel. */
export interface Launcher {
  readonly host: HTMLElement
  readonly root: ShadowRoot
  readonly button: HTMLButtonElement
  addStyles(css: string): void
  setOpen(open: boolean): void
  setLabel(label: string): void
}

const svgNamespace = 'http://www.w3.org/2000/svg'
const speechBubble = 'M21 12a8 8 0 0 1-8 8H4l1.6-3.2A8 8 0 1 1 21 12Z'
const chevronDown = 'm6 9 6 6 6-6'

/**
 * Builds the button, detached. Everything is made by DOM calls: under Trusted Types innerHTML throws, and under a
 * strict CSP style attributes and elements are dropped. Names are neutral because ad-block lists hide elements by name.
 */
export function createLauncher(settings: LoaderSettings, nonce: string): Launcher {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const addStyles = (text: string) => {
    try {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    } catch {
      // Safari before 16.4 has no constructed sheets.
      const style = document.createElement('style')
      style.nonce = nonce
      style.textContent = text
      root.prepend(style)
    }
  }
  addStyles(css)
  host.style.setProperty('--accent', settings.color)
  host.style.setProperty('--ink', settings.ink)
  if (settings.position.endsWith('left')) host.dataset.side = 'left'

  const button = document.createElement('button')
  const label = document.createElement('span')
  const icon = document.createElementNS(svgNamespace, 'svg')
  const path = document.createElementNS(svgNamespace, 'path')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.append(path)
  button.type = 'button'
  button.className = 'go'
  button.setAttribute('aria-haspopup', 'dialog')
  button.append(icon, label)
  root.append(button)

  const launcher: Launcher = {
    host,
    root,
    button,
    addStyles,
    setOpen(open) {
      button.setAttribute('aria-expanded', `${open}`)
      path.setAttribute('d', open ? chevronDown : speechBubble)
    },
    setLabel(text) {
      label.textContent = text
    },
  }
  launcher.setOpen(false)
  launcher.setLabel(settings.labels[navigator.language.slice(0, 2)] ?? 'Feedback')
  return launcher
}
