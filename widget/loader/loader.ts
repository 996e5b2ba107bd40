import type { LoaderSettings, WidgetLocale } from '#contract/widget-settings.ts'
import type { EarshotFunction } from '../sdk/widget/src/api.ts'
import { isHostAllowed } from './hosts.ts'
import { isolateEvents } from './isolate.ts'
import { createLauncher } from './launcher.ts'
import { endAll, listen } from './listen.ts'
import { keepRings } from './rings.ts'
import type { PanelModule, Stage, Texts } from './stage.ts'
import { keepOnTop } from './top-layer.ts'

function start(settings: LoaderSettings): void {
  const stub = window.earshot
  const { key, hosts } = settings
  const { hostname } = location
  if (stub?.on) return
  if (!isHostAllowed(hostname, hosts)) {
    console.info(`Earshot: ${hostname} is not in ${hosts}`)
    return
  }
  const script = document.querySelector<HTMLScriptElement>(`script[src*=${key}]`) as HTMLScriptElement
  const origin = script.src.split('/e/')[0]
  const stages = `${origin}/e/a/${settings.build}/`

  // The panel stage adds what is missing here.
  const stage = {
    ...createLauncher(settings),
    settings,
    origin,
    rings: keepRings(settings),
    locale: settings.locale ?? navigator.language.slice(0, 2),
    commands: {},
    calls: [],
  } as unknown as Stage
  const { host, button } = stage
  keepOnTop(stage)

  /** Appended to addresses after a failure: some browsers remember a failed import for the life of the page. */
  let again = ''
  const loadPanel = (): Promise<[PanelModule, Texts]> =>
    Promise.all([
      import(`${stages}panel.js${again}`),
      import(`${origin}/e/${key}/${stage.locale}-${settings.version}.js${again}`),
    ])
  const setLabel = (mark = '') => {
    button.textContent = mark + (settings.labels?.[stage.locale] ?? 'Feedback')
  }
  /** The panel adds commands of its own, and goes through the calls that waited for it. */
  const startPanel = async () => {
    stage.place()
    setLabel('… ')
    try {
      const [panel, texts] = await loadPanel()
      setLabel()
      panel.startPanel(stage, texts)
    } catch {
      // In every language: the next press tries again.
      setLabel('⚠ ')
      again += '?'
    }
  }

  const openers: (Element | string)[] = []
  const { commands, calls } = stage
  const earshot = ((command: string, ...args: unknown[]) => {
    if (commands[command]) return commands[command](...(args as never[]))
    calls.push([command, ...args])
    if (args[0] === 'load') setTimeout(args[1] as () => void)
    if (/open|toggle/.test(command)) startPanel()
  }) as EarshotFunction
  Object.assign(commands, {
    show() {
      button.style.display = ''
    },
    hide() {
      button.style.display = 'none'
    },
    setLocale(locale: WidgetLocale) {
      stage.locale = locale
      setLabel()
    },
    attachTo: (opener: Element | string) => openers.push(opener),
    isOpen: () => !!stage.panel,
    destroy() {
      stage.panel?.close()
      endAll()
      delete window.earshot
    },
  })
  const toggle = () => earshot('toggle')

  earshot.on = true
  window.earshot = earshot
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

  /** Whether the page has been seen and not been counted yet; undefined: not seen. */
  let seen: boolean | undefined
  const wake = async () => {
    // Late, when a page that is drawn by its script has been: it would take us for a mistake of its server's.
    setTimeout(() => stage.place(), 300)
    try {
      if (localStorage['earshot.waiting']) (await loadPanel())[0].resume(stage)
    } catch {}
    try {
      if (document.hidden) {
        // Counted when a page that was seen goes away, which costs its load nothing.
        if (seen) seen = !navigator.sendBeacon(`${origin}/e/${key}/n/loaded`)
      } else if (seen === undefined) {
        seen = true
        if (settings.replay) (await import(`${stages}replay.js`)).start(stage)
      }
    } catch {}
  }
  listen(window, 'online pageshow visibilitychange', wake)
  if (document.readyState === 'complete') wake()
}

// The server puts the project's settings in the place of this literal; the build checks that it stands there once.
start('__EARSHOT_SETTINGS__' as unknown as LoaderSettings)
