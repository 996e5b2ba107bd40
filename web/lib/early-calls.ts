/** A call that was made before its code was loaded. */
interface EarlyCall {
  readonly response: Promise<Response>
  abort(): void
}

/** What the script of `early-calls-script.ts` leaves in the page. */
export interface EarlyCalls {
  /** The access token that they were made with. */
  readonly token: string
  /** By address and body. Taken out by who uses them. */
  readonly calls: Record<string, EarlyCall | undefined>
}

declare global {
  var earshotEarly: EarlyCalls | undefined
}

/** Where an early call is kept. */
export function earlyKey(url: string, body = ''): string {
  return `${url} ${body}`
}

/**
 * The response to a call that the page has made early with the same token; each once. Undefined: it must be made now.
 *
 * @param signal aborts the call, also while its body is read
 */
export function takeEarlyCall(
  key: string,
  token: string | undefined,
  signal: AbortSignal | undefined | null,
): Promise<Response> | undefined {
  const early = globalThis.earshotEarly
  const call = early?.calls[key]
  if (!call || early.token !== token) return undefined
  delete early.calls[key]
  if (signal?.aborted) {
    call.abort()
    return undefined
  }
  signal?.addEventListener('abort', () => call.abort(), { once: true })
  return call.response
}
