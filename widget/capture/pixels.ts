import { copyPixels } from './copy-pixels.ts'
import { escapeXml } from './escape-xml.ts'
import { rare } from './load-rare.ts'
import type { Scene } from './scene.ts'
import { blank, fetchFile } from './shot.ts'

/** HTML elements that become images in the picture. */
export const replaced = /^(canvas|video|iframe|object|embed)$/

/** Address for the place of an image, canvas, film or frame. */
export function readPixels(element: HTMLImageElement, name: string, scene: Scene): string {
  const { hold, whole } = scene
  const { x, y, right, bottom } = element.getBoundingClientRect()
  // An element with a layout box is in a window.
  const { innerWidth, innerHeight } = element.ownerDocument.defaultView as Window
  if (!whole && (right <= 0 || bottom <= 0 || x >= innerWidth || y >= innerHeight)) return blank
  const { currentSrc, src, complete, naturalWidth, naturalHeight } = element
  if (replaced.test(name)) return rare?.readReplaced(element, name, scene) ?? blank
  const address = currentSrc || src
  // Broken images stay broken.
  if (complete && !naturalWidth) return 'data:,'
  if (/^data/.test(address)) return escapeXml(address)
  // The element has pixels even where its address is revoked (blob:) or of another origin.
  return hold(address, 'images', () =>
    fetchFile(address).catch(() => copyPixels(element, naturalWidth, naturalHeight)()),
  )
}
