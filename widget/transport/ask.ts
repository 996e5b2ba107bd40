import type { Problem } from '#contract/errors.ts'
import type { Stage } from '../loader/stage.ts'
import { openFrame, windowOf } from '../natives.ts'
import { within } from './within.ts'

/** The used part of an answer. */
export type Answer = Pick<Response, 'ok' | 'status' | 'headers' | 'json'>

/** Address of an endpoint of the project's widget. */
export function writeUrl({ base, settings }: Stage, name: string): string {
  return `${base}${settings.key}/${name}`
}

/**
 * Sends by the `fetch` of an empty frame, which the page has not wrapped: a wrapper may add credentials, which the browser
 * then refuses to send to us, or may never answer. The alternative is to allow credentials on the server. That would send
 * the app's cookies along from every page on which a signed-in member writes, and let those pages read the answers.
 *
 * The frame ends with the request, and its answers with it.
 */
async function fetchInFrame(url: string, init: RequestInit): Promise<Answer> {
  // At once, except in Firefox, which replaces the first empty document by another.
  const frame = await new Promise<HTMLIFrameElement>(openFrame)
  try {
    const answer = await windowOf(frame).fetch(url, init)
    const { ok, status, headers } = answer
    const body = await answer.json().catch(() => undefined)
    return { ok, status, headers, json: async () => body }
  } finally {
    frame.remove()
  }
}

/** The page's own `fetch` has failed last. */
let isFramed = false

/**
 * Sends one request: by the page's `fetch`, after a failure by that of a frame, and so on in turns. Resolves to undefined
 * when no answer arrives, for any reason.
 */
export async function ask(url: string, init: RequestInit, timeoutMs = 20_000): Promise<Answer | undefined> {
  const options: RequestInit = { credentials: 'omit', ...init, signal: AbortSignal.timeout?.(timeoutMs) ?? null }
  // Wrappers may ignore the signal, and answer with anything.
  const send = async (): Promise<Answer> => (isFramed ? fetchInFrame(url, options) : fetch(url, options))
  const answer = await within(send(), timeoutMs).catch(() => undefined)
  if (answer?.status) return answer
  isFramed = !isFramed
  return undefined
}

/**
 * The server's reason for a permanent refusal; undefined when a retry may help: after any other answer, one that asks to
 * wait, or one about an upload locked by another request (409, 423).
 */
export async function findRefusal(response: Answer | undefined): Promise<string | undefined> {
  const status = response?.status ?? 0
  if (status < 400 || status > 499 || [408, 409, 423, 425, 428, 429].includes(status)) return undefined
  const { title, detail, fields }: Partial<Problem> = (await response?.json().catch(() => {})) ?? {}
  const field = fields?.[0]
  return field ? `${title} (${field.path.replace('body.', '')}: ${field.message})` : (detail ?? title ?? `${status}`)
}
