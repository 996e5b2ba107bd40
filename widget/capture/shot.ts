import type { Missing } from '../loader/modules.ts'

/** An SVG as image that shows nothing: stands for what could not be read, without a broken picture's sign. */
export const blank = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"

/** What all documents of one picture share. */
export interface Shot {
  readonly host: Element
  readonly mask: readonly string[]
  readonly missing: Set<Missing>
  /** Files as data URLs by address: each is asked for once. */
  readonly files: Map<string, Promise<string>>
}

/**
 * Assets of one document. They arrive while its tree is still being written, so a sign that no text may contain (a
 * noncharacter of Unicode) stands in their places until {@link fill}.
 */
export interface Assets {
  /** Keeps a place for an address that is still being made; what fails there is counted as missing. */
  hold(address: Promise<string | Blob>, kind?: Missing): string
  /** Keeps a place for a file. */
  holdFile(address: string, kind?: Missing, read?: () => Promise<Blob>): string
  /** The text with everything in its place. */
  fill(text: string): Promise<string>
}

/** Reads a blob as data URL, off the main thread. */
export const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = reject
    reader.readAsDataURL(blob)
  })

/** Fetches from the browser's cache first: the page has it already. Rejects after 4 s. */
export const fetchFile = async (address: string): Promise<Blob> => {
  const response = await fetch(address, { cache: 'force-cache', signal: AbortSignal.timeout(4000) })
  if (!response.ok) throw response.status
  return response.blob()
}

/** Encodes a canvas, off the main thread. Rejects when it holds pixels of another origin. */
export const encode = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject()))
  })

export function createAssets({ missing, files }: Shot): Assets {
  const held: Promise<string>[] = []
  const hold: Assets['hold'] = (address, kind) => {
    const safe = address
      .then((file) => (typeof file === 'string' ? file : toDataUrl(file)))
      .catch(() => {
        if (kind) missing.add(kind)
        return blank
      })
    return `\uFDD0${held.push(safe) - 1};`
  }
  return {
    hold,
    holdFile(address, kind, read = () => fetchFile(address)) {
      let file = files.get(address)
      if (!file) {
        file = read().then(toDataUrl)
        files.set(address, file)
      }
      return hold(file, kind)
    },
    async fill(text) {
      const addresses = await Promise.all(held)
      return text.replace(/\uFDD0(\d+);/g, (_, index) => addresses[index] as string)
    },
  }
}
