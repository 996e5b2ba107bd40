import type { Stage, Texts } from '../loader/stage.ts'
import controls from './controls.css'
import fields from './fields.css'
import media from './media.css'
import panel from './panel.css'
import parts from './parts.css'
import type { Panel } from './state.ts'

const css = panel + controls + fields + parts + media

/** The focused element, inside shadow roots of the page too. */
function findFocused(): HTMLElement | null {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  // A focused element is an HTML or SVG element: both have focus().
  return element as HTMLElement | null
}

interface FrameListener {
  close(): void
  submit(): void
  drag(isOver: boolean): void
  drop(files: FileList): void
}

/** The panel's element: its position, colours, direction, keys and drop target. */
interface Frame {
  readonly box: HTMLElement
  /** Applies the panel's state and the site's settings. */
  update(p: Panel): void
  /** Removes it from the page and restores the focus. */
  remove(): void
}

export function createFrame(stage: Stage, { settings }: Texts, on: FrameListener): Frame {
  const { root, host, button, locale } = stage
  const { position, offset } = settings
  const isInline = 'inline' in host.dataset
  const opener = findFocused()
  const ended = new AbortController()
  const { signal } = ended
  stage.addStyles(css)
  const box = document.createElement('div')
  box.lang = locale
  // The direction of its own language, not of the page.
  box.dir = /ar|he/.test(locale) ? 'rtl' : 'ltr'
  box.setAttribute('role', isInline ? 'region' : 'dialog')
  box.setAttribute('aria-labelledby', 'title')
  const setProperty = (name: string, value: string) => box.style.setProperty(`--${name}`, value)
  for (const [name, color] of Object.entries(settings.colors)) setProperty(name, color)
  setProperty('r', `${settings.radius}px`)
  setProperty('o', `${offset}px`)

  stage.onKey = (event) => {
    if (event.isComposing) return
    // A listener that the page added before the widget has handled the letter as a shortcut, and may have moved the focus.
    if (event.defaultPrevented && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      // A key event's path starts at the focused element.
      ;(event.composedPath()[0] as HTMLElement).focus()
      document.execCommand('insertText', false, event.key)
    }
    if (event.key === 'Escape') {
      // Escape would also close the page's modal dialog that the panel lies over.
      event.preventDefault()
      on.close()
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && box.contains(root.activeElement)) on.submit()
  }
  box.onpaste = ({ clipboardData }) => clipboardData?.files[0] && on.drop(clipboardData.files)
  const onDrag = (event: DragEvent) => {
    const { type, dataTransfer } = event
    if (!dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    on.drag(type === 'dragover')
    if (type === 'drop') on.drop(dataTransfer.files)
  }
  box.ondragover = box.ondragleave = box.ondrop = onDrag

  // A phone's keyboard covers the page without making it smaller.
  const viewport = window.visualViewport
  viewport?.addEventListener(
    'resize',
    () => setProperty('k', `${Math.max(0, innerHeight - viewport.height * viewport.scale - viewport.offsetTop)}px`),
    { signal },
  )

  const dusk = matchMedia('(prefers-color-scheme: dark)')
  let state = ''
  const show = () => {
    const isNight = stage.theme === 'dark' || (stage.theme !== 'light' && dusk.matches)
    const place = isInline ? 'inline' : position.replace('-', ' ')
    box.className = `box ${place}${isNight ? ' night' : ''}${button.style.display ? ' alone' : ''}${state}`
  }
  dusk.addEventListener('change', show, { signal })
  root.append(box)

  return {
    box,
    update({ small, away }) {
      state = `${small ? ' small' : ''}${away ? ' away' : ''}`
      show()
    },
    remove() {
      const hadFocus = box.contains(root.activeElement)
      ended.abort()
      stage.onKey = undefined
      box.remove()
      // A visitor who has moved on to the page keeps their focus there.
      if (hadFocus) opener?.focus({ preventScroll: true })
    },
  }
}
