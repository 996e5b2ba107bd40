import type { LoaderSettings, WidgetLocale } from '#contract/widget-settings.ts'
import type { EarshotFunction } from '../sdk/widget/src/api.ts'
import { isHostAllowed } from './hosts.ts'
import { isolateEvents } from './isolate.ts'
import { button, host } from './launcher.ts'
import { endAll, listen, signal } from './listen.ts'
import { keepRings } from './rings.ts'
import type { PanelModule, Stage, Texts } from './stage.ts'
import { keepOnTop } from './top-layer.ts'

function start(settings: LoaderSettings): void {
  const stub = window.earshot
  const { key, hosts } = settings
  const { hostname } = location
  if (stub?.on) return
  if (!isHostAllowed(hostname, hosts)) {
    console.info(`Earshot: not for ${hostname}`)
    return
  }
  const script = document.querySelector<HTMLScriptElement>(`script[src*=${key}]`) as HTMLScriptElement
  const base = script.src.split(key)[0]
  const stages = `${base}a/${settings.build}/`

  /** Appended to addresses after a failure: some browsers remember a failed import for the life of the page. */
  let again = ''
  const openers: (Element | string)[] = []
  // The panel stage adds what is missing here.
  const stage = {
    settings,
    signal,
    base,
    host,
    rings: keepRings(settings, script.crossOrigin),
    locale: settings.locale ?? navigator.language.slice(0, 2),
    loadTexts: () => import(`${base}${key}/${stage.locale}-${settings.version}.js${again}`),
    calls: [],
    commands: {
      show() {
        button.style.display = ''
      },
      hide() {
        button.style.display = 'none'
      },
      setLocale(locale: WidgetLocale) {
        stage.locale = locale
        stage
          .loadTexts()
          .then(({ strings }) => {
            label = strings.label
            setLabel()
          })
          .catch(() => {})
      },
      attachTo: (opener: Element | string) => openers.push(opener),
      destroy() {
        stage.panel?.close()
        endAll()
        delete window.earshot
      },
    },
  } as unknown as Stage
  keepOnTop(stage)

  const loadPanel = (): Promise<[PanelModule, Texts]> =>
    Promise.all([import(`${stages}panel.js${again}`), stage.loadTexts()])
  let label = settings.label ?? 'Feedback'
  const setLabel = (mark = '') => {
    button.textContent = mark + label
  }
  /** The panel adds commands of its own, and goes through the calls that waited for it. */
  const startPanel = async () => {
    stage.place()
    // "On its way", and when it stays: "try again". In every language.
    setLabel('↻ ')
    try {
      const [panel, texts] = await loadPanel()
      setLabel()
      panel.startPanel(stage, texts)
    } catch {
      again += '?'
    }
  }
  const earshot = ((command: string, ...args: unknown[]) => {
    const run = stage.commands[command]
    if (run) return run(...(args as never[]))
    stage.calls.push([command, ...args])
    if (args[0] === 'load') setTimeout(args[1] as () => void)
    if (/open|toggle/.test(command)) startPanel()
  }) as EarshotFunction
  const toggle = () => earshot('toggle')

  earshot.on = true
  window.earshot = earshot
  button.style.cssText = settings.style
  setLabel()
  for (const call of stub?.q ?? []) earshot(...(call as unknown as ['open']))

  listen(window, 'click', (event) => {
    const target = event.target as Element
    if (openers.some((opener) => (opener as Element).contains?.(target) ?? target.closest(opener as string))) {
      event.preventDefault()
      toggle()
    }
    if (target !== host) stage.rings.clicked = target
  })
  isolateEvents(stage)
  listen(button, 'click', toggle)
  listen(button, 'pointerenter focus', () => loadPanel().catch(() => {}))

  const wake = async () => {
    // Late, when a page that is drawn by its script has been: it would take us for a mistake of its server's.
    setTimeout(() => stage.place(), 300)
    try {
      if (localStorage['earshot.waiting']) (await loadPanel())[0].resume(stage)
      if (settings.replay) (await import(`${stages}replay.js`)).start(stage)
    } catch {}
  }
  listen(window, 'online pageshow visibilitychange', wake)
  if (document.readyState === 'complete') wake()
  // The first change tells of a page that was seen: it goes away, or it was opened in the background.
  addEventListener('visibilitychange', () => navigator.sendBeacon(`${base}${key}/n/loaded`), { once: true })
}

// The server puts the project's settings in the place of this literal; the build checks that it stands there once.
start('__EARSHOT_SETTINGS__' as unknown as LoaderSettings)
