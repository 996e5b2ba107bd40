import type { Missing } from '../loader/modules.ts'

/** An SVG as image that shows nothing: stands for what could not be read, without a broken picture's sign. */
export const blank = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"

/**
 * What all documents of one picture share. Assets arrive while the trees are still being written, so their numbers
 * between signs that no text holds (a noncharacter of Unicode) stand in their places until {@link fill}.
 */
export interface Shot {
  readonly host: Element
  readonly mask: readonly string[]
  readonly missing: Set<Missing>
  /** Keeps a place for a file, by default the one at the address. What fails is blank, and counted as missing. */
  hold(address: string | Element, kind?: Missing, read?: () => Promise<Blob>): string
  /** The text with everything in its place. */
  fill(text: string): Promise<string>
}

/** Reads a blob as data URL, off the main thread. */
export const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.readAsDataURL(blob)
  })

/** Fetches from the browser's cache first: the page has it already. Rejects after 4 s. */
export const fetchFile = async (address: string): Promise<Blob> => {
  const response = await fetch(address, { cache: 'force-cache', signal: AbortSignal.timeout(4000) })
  if (!response.ok) throw response
  return response.blob()
}

export function createShot(host: Element, mask: readonly string[]): Shot {
  const held: Promise<string>[] = []
  const places = new Map<unknown, string>()
  const missing = new Set<Missing>()
  return {
    host,
    mask,
    missing,
    hold(address, kind, read = () => fetchFile(address as string)) {
      const readSafely = async () => {
        try {
          return await toDataUrl(await read())
        } catch {
          if (kind) missing.add(kind)
          return blank
        }
      }
      const place = places.get(address) ?? `\uFDD0${held.push(readSafely()) - 1}\uFDD0`
      places.set(address, place)
      return place
    },
    async fill(text) {
      const parts = text.split('\uFDD0')
      for (let index = 1; index < parts.length; index += 2) parts[index] = (await held[Number(parts[index])]) as string
      return parts.join('')
    },
  }
}
