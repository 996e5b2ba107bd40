import type { Missing } from '../loader/modules.ts'

/** An SVG as image that shows nothing: stands for what could not be read, without a broken picture's sign. */
export const blank = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"

/**
 * What all documents of one picture share. Assets arrive while the trees are still being written, so a sign that no
 * text holds (a noncharacter of Unicode) stands in their places until {@link fill}.
 */
export interface Shot {
  readonly host: Element
  readonly mask: readonly string[]
  readonly missing: Set<Missing>
  /** Keeps a place for a file. What fails is blank, and counted as missing. Each key is read once. */
  hold(read: () => Promise<Blob | string>, kind?: Missing, key?: unknown): string
  /** The text with everything in its place, as data URL of an SVG. */
  fill(text: string): Promise<string>
}

/** Reads a blob as data URL, off the main thread. */
const toDataUrl = (blob: Blob) =>
  new Promise<string>((resolve) => {
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
  const readSafely = async (read: () => Promise<Blob | string>, kind?: Missing) => {
    try {
      const file = await read()
      return typeof file === 'string' ? file : await toDataUrl(file)
    } catch {
      if (kind) missing.add(kind)
      return blank
    }
  }
  return {
    host,
    mask,
    missing,
    hold(read, kind, key = read) {
      let place = places.get(key)
      if (!place) {
        place = `\uFDD0${held.push(readSafely(read, kind)) - 1};`
        places.set(key, place)
      }
      return place
    },
    async fill(text) {
      const files: string[] = []
      for (const [, index] of text.matchAll(/\uFDD0(\d+);/g))
        files[Number(index)] = await (held[Number(index)] as Promise<string>)
      // What XML forbids goes last, wherever it came from.
      const svg = text
        .replace(/\uFDD0(\d+);/g, (_, index) => files[index] ?? '')
        .replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '')
      return toDataUrl(new Blob([svg], { type: 'image/svg+xml' }))
    },
  }
}
