import type { LoaderSettings, WidgetLocale } from '#contract/widget-settings.ts'
import { isHostAllowed } from './hosts.ts'
import { isolateEvents } from './isolate.ts'
import { createLauncher } from './launcher.ts'
import type { Mode, OpenPanel, PanelModule, Prefill, Stage, Texts, Visitor } from './stage.ts'
import { keepOnTop } from './top-layer.ts'

interface Earshot {
  (command: string, ...args: unknown[]): unknown
  /** Calls made through the stub before this script ran. */
  q?: ArrayLike<unknown>[]
  /** Set by a running loader: the mark by which a second one knows that it is not needed. */
  on?: boolean
}

declare global {
  interface Window {
    earshot?: Earshot
  }
}

/** Set by the transport while something waits to be sent, so that a visit without any costs one storage read. */
const waitingFlag = 'earshot.waiting'

function start(settings: LoaderSettings): void {
  const queue = window.earshot
  if (queue?.on) return
  const { hostname } = location
  if (!isHostAllowed(hostname, settings.hosts)) {
    console.info(`Earshot: no button on ${hostname || 'this page'}, the project is for ${settings.hosts.join(', ')}.`)
    return
  }
  // currentScript is null when a page loads us as a module.
  const script = (document.currentScript ??
    document.querySelector(`script[src*="${settings.key}"]`)) as HTMLScriptElement | null
  const { origin } = new URL(script?.src ?? location.href)
  const ended = new AbortController()
  const { signal } = ended
  const launcher = createLauncher(settings, script?.nonce ?? '')
  const { host, button } = launcher
  let panel: OpenPanel | undefined
  let opening = false
  let mounted = false

  const stages = new Map<string, Promise<unknown>>()
  let failures = 0
  const load = <Module>(url: string): Promise<Module> => {
    let stage = stages.get(url)
    if (!stage) {
      // Some browsers remember a failed import for the life of the page: another address asks again.
      stage = import(failures ? `${url}?${failures}` : url)
      stages.set(url, stage)
      stage.catch(() => {
        failures++
        stages.delete(url)
      })
    }
    return stage as Promise<Module>
  }
  const stage: Stage = {
    settings,
    origin,
    nonce: script?.nonce ?? '',
    root: launcher.root,
    host,
    rings: { console: [], network: [], routes: [], clicked: '' },
    visitor: {},
    metadata: {},
    tags: [],
    locale: settings.locale === 'auto' ? (navigator.language.slice(0, 2) as WidgetLocale) : settings.locale,
    theme: settings.theme,
    load: (name) => load(`${origin}/e/a/${settings.build}/${name}.js`),
    loadTexts: () => load<Texts>(`${origin}/e/${settings.key}/${stage.locale}-${settings.version}.js`),
    addStyles: launcher.addStyles,
    onKey: undefined,
    emit: async (_event, detail) => detail as never,
    setOpen(open) {
      if (!open) panel = undefined
      launcher.setOpen(open)
    },
  }
  const loadPanel = () => Promise.all([stage.load<PanelModule>('panel'), stage.loadTexts()])

  const prefetch = () => {
    loadPanel().catch(() => {})
  }

  const mount = () => {
    if (mounted || signal.aborted) return
    mounted = true
    keepOnTop(host, signal)
  }

  const close = () => panel?.close()
  const open = async (mode: Mode = 'text', prefill: Prefill = {}) => {
    if (panel || opening) return
    opening = true
    mount()
    prefetch()
    button.ariaBusy = 'true'
    try {
      const [module, texts] = await loadPanel()
      if (opening && !signal.aborted) panel = module.openPanel(stage, texts, mode, prefill)
    } catch {
      launcher.setLabel('Not reachable, try again')
      setTimeout(() => launcher.setLabel(settings.labels[stage.locale] ?? 'Feedback'), 5000)
    }
    opening = false
    button.ariaBusy = null
  }

  const commands: Record<string, (...args: never[]) => unknown> = {
    open,
    close() {
      opening = false
      close()
    },
    toggle: () => (panel ? close() : open()),
    isOpen: () => !!panel,
    show() {
      button.hidden = false
    },
    hide() {
      button.hidden = true
    },
    identify: (visitor: Visitor) => Object.assign(stage.visitor, visitor),
    setMetadata: (metadata: Record<string, unknown>) => Object.assign(stage.metadata, metadata),
    destroy() {
      close()
      ended.abort()
      delete window.earshot
    },
  }
  const earshot: Earshot = (command, ...args) => {
    const run = commands[command]
    if (run) return run(...(args as never[]))
    console.warn(`Earshot: there is no command "${command}".`)
  }
  earshot.on = true
  window.earshot = earshot

  const resume = (event?: Event) => {
    try {
      if (document.hidden || !localStorage.getItem(waitingFlag)) return
    } catch {
      return
    }
    stage.load<PanelModule>('panel').then(
      (module) => module.resume(stage, event?.type === 'online'),
      () => {},
    )
  }

  isolateEvents(host, (event) => stage.onKey?.(event), signal)
  button.addEventListener('click', () => (panel ? close() : open()), { signal })
  for (const type of ['pointerenter', 'focus', 'touchstart']) {
    button.addEventListener(type, prefetch, { signal, passive: true })
  }
  for (const type of ['online', 'pageshow']) window.addEventListener(type, resume, { signal })
  document.addEventListener('visibilitychange', resume, { signal })

  for (const call of queue?.q ?? []) earshot(...(Array.from(call) as [string, ...unknown[]]))

  // Not in the way of the page: shown when it has loaded and has a moment.
  const settle = () => (window.requestIdleCallback ?? setTimeout)(mount, { timeout: 1000 } as never)
  if (document.readyState === 'complete') {
    settle()
    resume()
  } else {
    window.addEventListener('load', settle, { once: true, signal })
  }
}

// The server puts the project's settings in the place of this literal; the build checks that it stands there once.
start('__EARSHOT_SETTINGS__' as unknown as LoaderSettings)
