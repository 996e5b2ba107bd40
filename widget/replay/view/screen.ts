import { openFrame } from './open-frame.ts'
import type { PointerPosition } from './pointer.ts'
import { asNumber, type ReplayEvent } from './read-events.ts'

/** Shows a recorded window: its page in a frame scaled to fit, and the pointer over it. */
export interface Screen {
  /** Of the frame; empty at first. */
  readonly document: Document
  resize(data: ReplayEvent['data']): void
  /** Scales again whenever the container's size changes. */
  followSize(): void
  movePointer(position: PointerPosition | undefined): void
  /** Animates a press of the pointer, unless the viewer wants less motion. */
  pulse(): void
  remove(): void
}

/**
 * @param external whether pictures may be loaded from the web
 * @param onScale called after each change of scale, which moves the pointer
 */
export async function openScreen(
  container: HTMLElement,
  external: boolean,
  maxHeight: number,
  onScale: () => void,
): Promise<Screen> {
  const stand = document.createElement('div')
  stand.style.cssText = 'position:relative;overflow:hidden;margin:0 auto;direction:ltr'
  container.append(stand)
  const frame = await openFrame(stand, external).catch((error) => {
    stand.remove()
    throw error
  })
  const cursor = document.createElement('div')
  cursor.style.cssText =
    'position:absolute;inset:0 auto auto 0;width:14px;height:14px;margin:-9px 0 0 -9px;border:2px solid #fff;border-radius:50%;background:#4f46e5;box-shadow:0 1px 4px #0008;visibility:hidden'
  stand.append(cursor)

  let width = 1
  let height = 1
  let scale = 1
  const scaleToFit = () => {
    scale = Math.min(1, container.clientWidth / width, maxHeight / height) || scale
    Object.assign(stand.style, { width: `${width * scale}px`, height: `${height * scale}px` })
    Object.assign(frame.style, { width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` })
    onScale()
  }
  const sizes = new ResizeObserver(scaleToFit)
  return {
    // A frame of this origin, in the document.
    document: frame.contentDocument as Document,
    resize(data) {
      width = asNumber(data.width, 1, 8000)
      height = asNumber(data.height, 1, 8000)
      scaleToFit()
    },
    followSize: () => sizes.observe(container),
    movePointer(position) {
      cursor.style.visibility = position ? 'visible' : 'hidden'
      if (position) cursor.style.translate = `${position.x * scale}px ${position.y * scale}px`
    },
    pulse() {
      if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
      cursor.animate({ boxShadow: ['0 0 0 0 #4f46e5', '0 0 0 24px #4f46e500'] }, 500)
    },
    remove() {
      sizes.disconnect()
      stand.remove()
    },
  }
}
