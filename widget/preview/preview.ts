/*
 * An example page in the settings' preview, with the real widget on it. The screen around it names the draft to show.
 * Submissions stay in the page: the server's answers are simulated.
 */

import { startSimulatedServer } from './simulated-server.ts'

interface Wish {
  readonly widgetKey: string
  /** Names a state of the draft; null: the published settings. */
  readonly draft: string | null
  readonly scheme: 'light' | 'dark'
  /** Empty: the browser's. */
  readonly locale: string
  /** Whether the settings at hand show in the panel: it opens with them, and closes when others are edited. */
  readonly isPanelShown: boolean
}

type Earshot = (command: string, ...args: unknown[]) => unknown

// Set by the loader; undefined until then.
const readEarshot = () => (window as unknown as { earshot?: Earshot }).earshot

let shown: Wish | undefined
/** Kept over the widgets that follow each other on this page, which may still be loading. */
let isPanelOpen = false
/** The script of the widget that was asked for last. */
let present: HTMLScriptElement | undefined

function show(wish: Wish): void {
  const previous = shown
  shown = wish
  document.documentElement.dataset.scheme = wish.scheme
  if (wish.isPanelShown !== (previous?.isPanelShown ?? false)) isPanelOpen = wish.isPanelShown
  const isSame = previous?.widgetKey === wish.widgetKey && previous.draft === wish.draft
  if (isSame && previous.locale === wish.locale) {
    if (wish.isPanelShown !== previous.isPanelShown) readEarshot()?.(isPanelOpen ? 'open' : 'close')
    return
  }
  const script = document.createElement('script')
  present = script
  readEarshot()?.('destroy')
  const query = wish.draft === null ? '?own' : `?draft=${encodeURIComponent(wish.draft)}`
  script.src = `${encodeURIComponent(wish.widgetKey)}.js${query}`
  script.onload = () => {
    const earshot = readEarshot()
    if (wish.locale) earshot?.('setLocale', wish.locale)
    // A widget that is destroyed closes as well, which is not the person's wish.
    const note = (isOpen: boolean) => () => {
      if (present === script) isPanelOpen = isOpen
    }
    earshot?.('on', 'open', note(true))
    earshot?.('on', 'close', note(false))
    if (isPanelOpen) earshot?.('open')
    script.remove()
  }
  document.head.append(script)
}

// The panel takes the focus as it opens. Here it opens while a setting is edited, which keeps the focus.
const focus = HTMLElement.prototype.focus
HTMLElement.prototype.focus = function (options) {
  if (document.hasFocus()) focus.call(this, options)
}

startSimulatedServer()
navigator.sendBeacon = () => true

window.addEventListener('message', ({ source, origin, data }: MessageEvent<Wish | undefined>) => {
  // Developer tools and extensions send messages of their own to every frame.
  if (source === window.parent && origin === location.origin && typeof data?.widgetKey === 'string') show(data)
})
window.parent.postMessage('ready', location.origin)
