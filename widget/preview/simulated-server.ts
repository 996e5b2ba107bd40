import type { Submission } from '#contract/widget.ts'

/** A file that the widget uploads. */
interface ArrivingFile {
  readonly mime: string
  readonly parts: Blob[]
  /** Bytes that have arrived. */
  bytes: number
  /** Bytes of the whole file; undefined while it is still being recorded. */
  totalBytes?: number
}

interface Options {
  /** Requests of other widgets go to the server. Missing: those of every widget are simulated. */
  readonly widgetKey?: string
  onSubmission?(submission: Submission, number: number): void
  /** A file has arrived whole, before or after its submission. */
  onFile?(): void
}

export interface SimulatedServer {
  /** A file that has arrived whole, by the id of its upload. */
  findFile(id: string): Blob | undefined
  /** Restores the page's `fetch`. */
  stop(): void
}

const answer = (status: number, headers: Record<string, string>, body?: unknown) =>
  new Response(body === undefined ? null : JSON.stringify(body), { status, headers })

/** Reads `Upload-Metadata` of the tus protocol: names, each with a value in Base64. */
function readMetadata(header: string): Record<string, string> {
  const pairs = header.split(',').map((pair) => pair.split(' '))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, atob(value)]))
}

/** Answers the widget's requests within the page, as an idle server would: nothing that is sent leaves the browser. */
export function startSimulatedServer({ widgetKey, onSubmission, onFile }: Options = {}): SimulatedServer {
  const files = new Map<string, ArrivingFile>()
  let number = 0
  const isWhole = (file: ArrivingFile | undefined) => file !== undefined && file.bytes === file.totalBytes

  function takeSubmission(body: BodyInit | null | undefined): Response {
    // The widget's own submission.
    const submission = JSON.parse(String(body)) as Submission
    number += 1
    onSubmission?.(submission, number)
    return answer(201, { 'content-type': 'application/json' }, { id: submission.id, number })
  }

  function takeUpload(path: string, { method, headers, body }: RequestInit): Response {
    const given = new Headers(headers)
    const { id = path.slice(path.lastIndexOf('/') + 1), mime = '' } =
      method === 'POST' ? readMetadata(given.get('upload-metadata') ?? '') : {}
    if (method === 'DELETE') files.delete(id)
    if (method === 'POST' && !files.has(id)) files.set(id, { mime, parts: [], bytes: 0 })
    const file = files.get(id)
    if (!file) return answer(method === 'DELETE' ? 204 : 404, {})
    const length = given.get('upload-length')
    if (length !== null) file.totalBytes = Number(length)
    if (body instanceof Blob) {
      file.parts.push(body)
      file.bytes += body.size
    }
    if (isWhole(file)) onFile?.()
    return answer(method === 'POST' ? 201 : 204, { 'upload-offset': `${file.bytes}`, 'tus-resumable': '1.0.0' })
  }

  const realFetch = window.fetch
  const simulated: typeof fetch = async (input, init = {}) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    const [, key, name] = /^\/e\/([^/]+)\/(submissions|items|uploads)/.exec(pathname) ?? []
    if (key === undefined || (widgetKey !== undefined && key !== widgetKey)) return realFetch(input, init)
    if (name === 'submissions') return takeSubmission(init.body)
    if (name === 'items') return answer(200, { 'content-type': 'application/json' }, { items: [] })
    return takeUpload(pathname, init)
  }
  window.fetch = simulated

  return {
    findFile(id) {
      const file = files.get(id)
      return file && isWhole(file) ? new Blob(file.parts, { type: file.mime }) : undefined
    },
    stop() {
      // Another script may have wrapped it again.
      if (window.fetch === simulated) window.fetch = realFetch
    },
  }
}
