import type { Problem } from '#contract/errors.ts'
import type { Stage } from '../loader/stage.ts'

/** Address of an endpoint of the project's widget. */
export function writeUrl({ origin, settings }: Stage, name: string): string {
  return `${origin}/e/${settings.key}/${name}`
}

/** Sends one request. Resolves to undefined when no answer arrives, for any reason. */
export function ask(url: string, init: RequestInit, timeoutMs = 20_000): Promise<Response | undefined> {
  return fetch(url, {
    credentials: 'omit',
    ...init,
    signal: AbortSignal.timeout?.(timeoutMs) ?? null,
  }).catch(() => undefined)
}

/**
 * The server's reason for a permanent refusal; undefined when a retry may help: after any other answer, one that asks to
 * wait, or one about an upload locked by another request (409, 423).
 */
export async function findRefusal(response: Response | undefined): Promise<string | undefined> {
  const status = response?.status ?? 0
  if (status < 400 || status > 499 || [408, 409, 423, 425, 428, 429].includes(status)) return undefined
  const { title, detail, fields }: Partial<Problem> = (await response?.json().catch(() => {})) ?? {}
  const field = fields?.[0]
  return field ? `${title} (${field.path.replace('body.', '')}: ${field.message})` : (detail ?? title ?? `${status}`)
}
