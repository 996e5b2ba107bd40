import type { PictureGap } from '#contract/files.ts'
import type { Stage } from '../loader/stage.ts'
import { reset } from './force.ts'

/** An empty SVG image: replaces unreadable files without the icon of a broken image. */
export const blank = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"

/**
 * What all documents of one picture share. Files arrive while the trees are still being written, so placeholders (their
 * numbers between noncharacters of Unicode, which no text contains) stand for them until {@link fill}.
 */
export interface Shot {
  readonly host: Element
  readonly mask: readonly string[]
  /** Whether scroll bars take up space in this browser. */
  readonly hasBars: boolean
  readonly missing: Set<PictureGap>
  /** A placeholder for a file, by default the one at the address. Files that fail become blank and count as missing. */
  hold(address: string | Element, kind?: PictureGap, read?: () => Promise<Blob>): string
  /** The text with all placeholders replaced. */
  fill(text: string): Promise<string>
}

/** Reads a blob as data URL, off the main thread. */
export const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    // `readAsDataURL` gives text.
    reader.onload = () => resolve(reader.result as string)
    reader.readAsDataURL(blob)
  })

/** Fetches from the browser's cache first: the page has loaded the file already. Rejects after 4 s. */
export const fetchFile = async (address: string): Promise<Blob> => {
  const response = await fetch(address, { cache: 'force-cache', signal: AbortSignal.timeout(4000) })
  if (!response.ok) throw response
  return response.blob()
}

function measureBars(root: ShadowRoot): boolean {
  const sample = document.createElement('i')
  sample.style.cssText = `${reset}display:block;overflow:scroll`
  root.append(sample)
  const hasBars = sample.offsetWidth > sample.clientWidth
  sample.remove()
  return hasBars
}

export function createShot({ host, root }: Stage, mask: readonly string[]): Shot {
  const held: Promise<string>[] = []
  const places = new Map<unknown, string>()
  const missing = new Set<PictureGap>()
  return {
    host,
    mask,
    hasBars: measureBars(root),
    missing,
    // Without `read`, the key is the address.
    hold(address, kind, read = () => fetchFile(address as string)) {
      const readSafely = () =>
        read()
          .then(toDataUrl)
          .catch(() => {
            if (kind) missing.add(kind)
            return blank
          })
      const place = places.get(address) ?? `\uFDD0${held.push(readSafely()) - 1}\uFDD0`
      places.set(address, place)
      return place
    },
    async fill(text) {
      const parts = text.split('\uFDD0')
      for (let index = 1; index < parts.length; index += 2)
        // Odd parts are indexes into `held`.
        parts[index] = (await held[+(parts[index] as string)]) as string
      return parts.join('')
    },
  }
}
