import type { LoaderSettings } from '#contract/widget-settings.ts'
import css from './launcher.css'
import type { Stage } from './stage.ts'

/**
 * Builds the button in the shadow root that it shares with the panel, detached. Everything is made by DOM calls and a
 * constructed sheet: under Trusted Types innerHTML throws, and under a strict CSP style attributes and elements are
 * dropped. Names are neutral because ad-block lists hide elements by name. Throws in browsers without constructed sheets
 * (Safari before 16.4).
 */
export function createLauncher({ style }: LoaderSettings): Pick<Stage, 'host' | 'button'> {
  const host = document.createElement('div')
  const button = document.createElement('button')
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  root.append(button)
  button.className = 'go'
  button.style.cssText = style
  return { host, button }
}
