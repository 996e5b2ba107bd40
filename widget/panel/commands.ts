import type { EventName, Mode, OpenOptions, OpenPanel, Prefill, Stage, Texts, Visitor } from '../loader/stage.ts'
import { runOwnListeners } from './own-events.ts'

type Listener = (detail: never) => unknown
type Open = (stage: Stage, texts: Texts, mode?: Mode, prefill?: Prefill, options?: OpenOptions) => OpenPanel

/** Some pages have none. */
const { console } = window

/** Longest wait for a listener of the site, in milliseconds. */
const patienceMs = 5000

/** Notifies the site's listeners. Listeners that throw, or take too long over `beforesend`, are skipped: the text matters more. */
async function emit(listeners: [EventName, Listener][], event: EventName, detail: unknown): Promise<unknown> {
  // Listeners run after the change: `isOpen` is true when `open` arrives.
  await undefined
  let current = detail
  for (const [name, listener] of [...listeners]) {
    if (name !== event) continue
    try {
      // Each event's listeners take what that event carries.
      const answer = listener(current as never)
      if (event !== 'beforesend') continue
      const late = new Promise((resolve) => setTimeout(resolve, patienceMs))
      const decided = await Promise.race([answer, late])
      if (decided === false) return false
      if (decided && typeof decided === 'object') current = decided
    } catch (error) {
      console?.error(error)
    }
  }
  return current
}

/** Moves the host element, and with it all isolation from the page, into an element of the page. */
function fill(stage: Stage, container: Element): void {
  stage.host.popover = null
  stage.host.dataset.inline = ''
  stage.findParent = () => {
    if (container.isConnected) return container
    // The page removed the container; the text is kept in the draft.
    stage.panel?.close()
    return undefined
  }
  stage.place()
}

function float(stage: Stage): void {
  stage.findParent = undefined
  delete stage.host.dataset.inline
  stage.host.popover = 'manual'
  stage.host.remove()
  stage.place()
}

/** Heeds `findParent`, and restores the focus, which moving the host element drops. */
function keepFocus(stage: Stage): void {
  const { place } = stage
  stage.place = (modal) => {
    // The panel's focusable elements are HTML elements.
    const focused = stage.root.activeElement as HTMLElement | null
    place(stage.findParent?.() ?? modal)
    if (focused !== stage.root.activeElement) focused?.focus({ preventScroll: true })
  }
}

/** Isolates events that only the panel can cause from the page's listeners; the loader isolates the others. */
function isolateMore(host: HTMLElement): void {
  for (const type of ['input', 'copy', 'cut', 'paste', 'wheel', 'touchmove', 'dragenter', 'dragover', 'drop']) {
    host.addEventListener(type, (event) => event.stopPropagation(), { passive: true })
  }
}

const completed = new WeakSet<Stage>()

/** Adds everything that is not needed before the panel opens, which keeps the loader small. */
export function completeStage(stage: Stage): void {
  if (completed.has(stage)) return
  completed.add(stage)
  const { settings, base, host, commands } = stage
  const listeners: [EventName, Listener][] = []
  const root = host.shadowRoot as ShadowRoot // The loader attaches an open root.
  const tries: Record<string, string> = {}
  const styles = new Set<string>()
  const load = async (path: string) => {
    try {
      return await import(`${base}${path}.js${tries[path] ?? ''}`)
    } catch (error) {
      // Some browsers remember a failed import for the life of the page.
      tries[path] = `${tries[path] ?? ''}?`
      throw error
    }
  }
  Object.assign(stage, {
    settings,
    root,
    button: root.querySelector('button') as HTMLButtonElement, // The loader puts its button in the root.
    nonce: document.querySelector<HTMLScriptElement>(`script[src*=${settings.key}]`)?.nonce ?? '',
    visitor: {},
    metadata: {},
    tags: [],
    theme: settings.theme ?? 'auto',
    load: (name) => load(`a/${settings.build}/${name}`),
    loadTexts: () => load(`${settings.key}/${stage.locale}-${settings.version}`),
    addStyles(css) {
      if (styles.has(css)) return
      styles.add(css)
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    },
    emit: (event, detail) => emit(listeners, event, detail) as never, // Each event declares what its listeners may answer.
    setOpen(open) {
      stage.button.ariaExpanded = `${open}`
      if (!open) stage.panel = undefined
      if (!open && stage.findParent) float(stage)
      stage.emit(open ? 'open' : 'close')
      // After the panel has opened or closed, which matters more than the count.
      setTimeout(() => navigator.sendBeacon?.(`${base}${settings.key}/n/${open ? 'opened' : 'closed'}`))
    },
  } satisfies Partial<Stage>)
  isolateMore(host)
  runOwnListeners(stage)
  keepFocus(stage)
  Object.assign(commands, {
    identify(visitor: Visitor, proof?: Visitor) {
      stage.visitor = { ...visitor, ...proof }
    },
    isOpen: () => !!stage.panel,
    clearIdentity() {
      stage.visitor = {}
    },
    setMetadata(metadata: Record<string, unknown>) {
      Object.assign(stage.metadata, metadata)
    },
    setTags(tags: string[]) {
      stage.tags = tags
    },
    setTheme(theme: Stage['theme']) {
      stage.theme = theme
    },
    setNonce(nonce: string) {
      stage.nonce = nonce
    },
    on(event: EventName, listener: Listener) {
      if (event === 'load') setTimeout(listener)
      else listeners.push([event, listener])
    },
    off(event: EventName, listener: Listener) {
      const index = listeners.findIndex((one) => one[0] === event && one[1] === listener)
      if (index >= 0) listeners.splice(index, 1)
    },
  })
  goThrough(stage)
}

/** Runs the waiting calls. Unknown commands keep waiting; their names are returned. */
function goThrough({ commands, calls }: Stage): readonly string[] {
  for (const [name, ...args] of calls.splice(0)) {
    // The loader has already called `load` listeners.
    if (args[0] === 'load') continue
    // Commands check their own arguments.
    if (commands[name]) commands[name](...(args as never[]))
    else calls.push([name, ...args])
  }
  return calls.map(([name]) => name)
}

/** Adds opening and closing to the commands, and runs the calls that waited for the panel. */
export function addCommands(stage: Stage, texts: Texts, openPanel: Open): void {
  completeStage(stage)
  const { commands } = stage
  let present = { locale: stage.locale, texts }
  let asked: Parameters<typeof open> = []
  const open = async (mode?: Mode, prefill?: Prefill, options: OpenOptions = {}) => {
    if (stage.panel) return
    asked = [mode, prefill, options]
    const { locale } = stage
    if (present.locale !== locale) present = { locale, texts: await stage.loadTexts() }
    const { container } = options
    const element = typeof container === 'string' ? document.querySelector(container) : container
    if (element) fill(stage, element)
    else if (container) return console?.warn(`Earshot: there is no ${container} on this page`)
    stage.panel = openPanel(stage, present.texts, mode, prefill)
  }
  const close = () => stage.panel?.close()
  Object.assign(commands, { open, close, toggle: () => (stage.panel ? close() : open()) })
  for (const [name, run] of Object.entries(commands)) {
    commands[name] = (...args) => {
      const result = run(...args)
      stage.onCommand?.(name)
      if (name === 'setLocale' && stage.panel) {
        close()
        open(...asked)
      }
      return result
    }
  }
  // The panel was not open before, so toggle means open.
  for (const call of stage.calls) if (call[0] === 'toggle') call[0] = 'open'
  for (const name of goThrough(stage)) console?.warn(`Earshot: there is no command ${name}`)
  stage.calls.length = 0
}
