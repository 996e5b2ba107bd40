import type { Stage } from '../loader/stage.ts'

const swallowed = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'touchstart', 'touchend', 'click', 'contextmenu']

const veil =
  'all:initial;position:fixed;inset:0;z-index:2147483647;cursor:crosshair;touch-action:none;outline:0;pointer-events:auto'
const frame =
  'all:initial;position:fixed;box-sizing:border-box;pointer-events:none;border:2px solid #fff;outline:2px solid #1d4ed8;border-radius:3px;background:#3b82f626'
const sign =
  'all:initial;position:fixed;top:12px;left:50%;translate:-50%;max-width:90vw;padding:8px 14px;border-radius:8px;background:#111;color:#fff;font:14px/20px system-ui,sans-serif;pointer-events:none'

/** An element's name for screen readers. */
const nameElement = (element: HTMLElement): string =>
  // Elements without `alt` give undefined.
  `${element.localName} ${(element.ariaLabel || (element as HTMLImageElement).alt || element.textContent || '').trim().slice(0, 60)}`

/** The element at a point of the window, in shadow roots too, but never one of ours. */
function findAt(x: number, y: number, host: Element): Element | undefined {
  let found: Element | undefined
  let root: DocumentOrShadowRoot | null = document
  while (root) {
    const inner: Element | undefined = root
      .elementsFromPoint(x, y)
      .find((element) => element !== host && element !== found)
    root = inner?.shadowRoot ?? null
    found = inner ?? found
  }
  return found
}

export function choose(stage: Stage, hint: string): Promise<Element | undefined> {
  const { host, root, onKey } = stage
  const [cover, outline, label] = [veil, frame, sign].map((css) => {
    const part = document.createElement('div')
    part.style.cssText = css
    return part
    // `map` keeps the length of three.
  }) as [HTMLDivElement, HTMLDivElement, HTMLDivElement]
  cover.tabIndex = -1
  cover.role = 'application'
  cover.ariaLabel = hint
  label.role = 'status'
  label.dir = 'auto'
  cover.append(outline, label)

  return new Promise((resolve) => {
    const ended = new AbortController()
    let present: Element | undefined
    const show = (element: Element | null | undefined) => {
      if (!element || element === host) return
      present = element
      const { left, top, width, height } = element.getBoundingClientRect()
      Object.assign(outline.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
      // SVG elements lack nothing that is read here.
      label.textContent = nameElement(element as HTMLElement)
    }
    const end = (element?: Element) => {
      cover.remove()
      stage.onKey = onKey
      // The selecting pointer's click is fired after its pointerup.
      setTimeout(() => ended.abort(), 300)
      resolve(element)
    }
    const options = { capture: true, passive: false, signal: ended.signal }
    for (const type of swallowed) {
      window.addEventListener(
        type,
        (event) => {
          event.stopImmediatePropagation()
          if (!/^touch/.test(type)) event.preventDefault()
          if (type === 'pointerup' && cover.isConnected) {
            // The type is `pointerup`.
            const { clientX, clientY } = event as PointerEvent
            end(findAt(clientX, clientY, host))
          }
        },
        options,
      )
    }
    window.addEventListener(
      'pointermove',
      (event) => {
        event.stopImmediatePropagation()
        show(findAt(event.clientX, event.clientY, host))
      },
      options,
    )
    stage.onKey = (event) => {
      const { key } = event
      const next = {
        ArrowUp: present?.parentElement,
        ArrowDown: present?.firstElementChild,
        ArrowLeft: present?.previousElementSibling,
        ArrowRight: present?.nextElementSibling,
      }[key]
      event.preventDefault()
      if (key === 'Escape') end()
      else if (key === 'Enter') end(present)
      else if (document.body.contains(next ?? null)) {
        next?.scrollIntoView({ block: 'nearest' })
        show(next)
      }
    }
    root.append(cover)
    cover.focus({ preventScroll: true })
    show(findAt(innerWidth / 2, innerHeight / 2, host))
    label.textContent = hint
  })
}
