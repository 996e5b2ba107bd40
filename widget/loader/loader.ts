import type { LoaderSettings, WidgetLocale } from '#contract/widget-settings.ts'
import type { EarshotFunction } from '../sdk/widget/src/api.ts'
import { isHostAllowed } from './hosts.ts'
import { isolateEvents } from './isolate.ts'
import { button, host } from './launcher.ts'
import { endAll, listen, signal } from './listen.ts'
import { keepRings } from './rings.ts'
import type { PanelModule, Stage } from './stage.ts'
import { keepOnTop } from './top-layer.ts'

// The server puts the project's settings in the place of this literal; the build checks that it stands there once.
const settings = '__EARSHOT_SETTINGS__' as unknown as LoaderSettings
const { key } = settings
// This file was loaded by that script.
const script = document.querySelector<HTMLScriptElement>(`script[src*=${key}]`) as HTMLScriptElement
const base = script.src.split(key)[0]
const openers: (Element | string)[] = []

/** Appended to addresses after a failure: some browsers remember a failed import for the life of the page. */
let again = ''
let label = settings.label ?? 'Feedback'
const setLabel = (mark = '') => {
  button.textContent = mark + label
}

// The panel stage adds everything that is missing.
const stage = {
  settings,
  signal,
  base,
  host,
  locale: settings.locale ?? navigator.language.slice(0, 2),
  loadTexts: () => import(`${base}${key}/${stage.locale}-${settings.version}.js${again}`),
  rings: { console: [], network: [], routes: [] },
  calls: [],
  onEvent(event: Event) {
    event.stopImmediatePropagation()
    if (event.type === 'click') toggle()
    // A visitor comes near.
    else loadPanel().catch(() => {})
  },
  commands: {
    show() {
      button.style.display = ''
    },
    hide() {
      button.style.display = 'none'
    },
    setLocale(locale: WidgetLocale) {
      stage.locale = locale
      stage.loadTexts().then(
        ({ strings }) => {
          label = strings.label
          setLabel()
        },
        () => {},
      )
    },
    attachTo: (opener: Element | string) => openers.push(opener),
    destroy() {
      stage.panel?.close()
      endAll()
      delete window.earshot
    },
  },
} as unknown as Stage

/** The texts come at the same time: the panel asks for them again, from the browser's memory. */
const loadPanel = (): Promise<PanelModule> => {
  const panel = import(`${base}a/${settings.build}/panel.js${again}`)
  stage.loadTexts().catch(() => {})
  return panel
}
/** The panel adds commands of its own, and runs the waiting calls. */
const startPanel = async () => {
  stage.place()
  // "On its way", and when it stays: "try again". In every language.
  setLabel('↻ ')
  try {
    await (await loadPanel()).startPanel(stage)
    setLabel()
  } catch {
    again += '?'
  }
}
const earshot = ((command: string, ...args: unknown[]) => {
  const run = stage.commands[command]
  // Commands check their own arguments.
  if (run) return run(...(args as never[]))
  stage.calls.push([command, ...args])
  // `load` has a callback as its argument.
  if (args[0] === 'load') setTimeout(args[1] as () => void)
  if (/open|toggle/.test(command)) startPanel()
  // The overloads name the commands and their arguments; the answer is the panel's.
}) as EarshotFunction
const toggle = () => earshot('toggle')

const wake = async () => {
  // Late, when a page that is drawn by its script has been: it would take us for a mistake of its server's.
  setTimeout(() => stage.place(), 300)
  try {
    if (localStorage['earshot.waiting']) (await loadPanel()).resume(stage)
    if (settings.replay) (await import(`${base}a/${settings.build}/replay.js`)).start(stage)
  } catch {}
}

function start(stub: EarshotFunction | undefined): void {
  try {
    keepRings(stage.rings, settings, script.crossOrigin)
  } catch {}
  keepOnTop(stage)
  earshot.on = true
  window.earshot = earshot
  button.style.cssText = settings.style
  setLabel()
  // Calls of the page, in any command; the compiler accepts a spread of one overload only.
  for (const call of stub?.q ?? []) earshot(...(call as unknown as ['open']))

  // First, so that the listener below hears of the page's clicks only.
  isolateEvents(stage)
  listen(window, 'click', (event) => {
    // The target of a click is an element.
    const target = event.target as Element
    // A selector, if it is not an element.
    if (openers.some((opener) => (opener as Element).contains?.(target) ?? target.closest(opener as string))) {
      event.preventDefault()
      toggle()
    }
    stage.rings.clicked = target
  })
  listen(window, 'online pageshow visibilitychange', wake)
  if (document.readyState === 'complete') wake()
  // The first change means that the page was seen: it is hidden now, or was opened in the background.
  addEventListener('visibilitychange', () => navigator.sendBeacon?.(`${base}${key}/n/loaded`), { once: true })
}

if (!window.earshot?.on) {
  // Sandboxed frames have no origin by which the server could know the site: it would refuse everything.
  if (origin !== 'null' && isHostAllowed(location.hostname, settings.hosts)) start(window.earshot)
  else console.info('Earshot: not for', origin)
}
