/** A logged request: its first line with its headers, and its body. */
export interface LoggedRequest {
  readonly head: string
  readonly body: string
}

/** Splits a request of the log at its empty line. */
export function readRequest(request: string): LoggedRequest {
  const end = request.indexOf('\n\n')
  return end < 0 ? { head: request, body: '' } : { head: request.slice(0, end), body: request.slice(end + 2) }
}

/** JSON on lines of its own, indented; any other text, such as cut JSON, as it is. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const minuteMs = 60_000

/** How long until a moment: `now`, `in 40 s`, `in 5 min`, `in 2 h`. */
export function formatWait(iso: string, nowMs: number): string {
  const waitMs = Date.parse(iso) - nowMs
  if (waitMs < 1000) return 'now'
  if (waitMs < minuteMs) return `in ${Math.round(waitMs / 1000)} s`
  if (waitMs < 60 * minuteMs) return `in ${Math.round(waitMs / minuteMs)} min`
  return `in ${Math.round(waitMs / (60 * minuteMs))} h`
}
