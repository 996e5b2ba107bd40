import type { Problem } from '#contract/errors.ts'
import type { Receipt } from '#contract/widget.ts'
import { retryAfterMs } from './back-off.ts'

/** Requests that may outlive the page are limited to 64 KiB in flight by the Fetch standard. */
const maxKeepaliveLength = 20_000
const timeoutMs = 20_000

export type PostResult =
  | { kind: 'stored'; number: number }
  /** The server will never take it as it is. */
  | { kind: 'refused'; reason: string }
  /** It may work later, and may even have worked: only asking again with the same id tells. */
  | { kind: 'failed'; reason: 'network' | 'server' | 'busy'; retryAfterMs: number | undefined }

async function readReason(response: Response): Promise<string> {
  const problem: Partial<Problem> = await response.json().catch(() => ({}))
  const field = problem.fields?.[0]
  return field
    ? `${problem.title} (${field.path.replace(/^body\./, '')}: ${field.message})`
    : (problem.detail ?? problem.title ?? `The server refused it (${response.status}).`)
}

/** Posts a submission once. Never throws. Only a 2xx that names the stored item counts as stored. */
export async function postSubmission(url: string, body: string): Promise<PostResult> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      keepalive: body.length < maxKeepaliveLength,
      ...(AbortSignal.timeout && { signal: AbortSignal.timeout(timeoutMs) }),
    })
    const { status } = response
    if (response.ok) {
      // Networks that ask for a login first answer anything with 200 and a page of their own.
      const receipt: Partial<Receipt> = await response.json()
      if (typeof receipt.number === 'number') return { kind: 'stored', number: receipt.number }
    } else if (status >= 400 && status < 500 && ![408, 425, 429].includes(status)) {
      return { kind: 'refused', reason: await readReason(response) }
    }
    return {
      kind: 'failed',
      reason: status === 429 ? 'busy' : 'server',
      retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    }
  } catch {
    return { kind: 'failed', reason: 'network', retryAfterMs: undefined }
  }
}
