import type { Problem } from '#contract/errors.ts'
import type { Stage } from '../loader/stage.ts'

/** Address of what the project's widget may ask for. */
export function writeUrl({ origin, settings }: Stage, name: string): string {
  return `${origin}/e/${settings.key}/${name}`
}

/** Sends one request. Resolves to nothing when no answer came, for whatever reason. */
export function ask(url: string, init: RequestInit, timeoutMs = 20_000): Promise<Response | undefined> {
  return fetch(url, {
    credentials: 'omit',
    ...init,
    signal: AbortSignal.timeout?.(timeoutMs) ?? null,
  }).catch(() => undefined)
}

/**
 * Why the server will never take it, in its own words; undefined when asking again may help: after another answer, one
 * that asks to wait, or one that an upload gets while it is held by another request (409, 423).
 */
export async function findRefusal(response: Response | undefined): Promise<string | undefined> {
  const status = response?.status ?? 0
  if (status < 400 || status > 499 || [408, 409, 423, 425, 428, 429].includes(status)) return undefined
  const { title, detail, fields }: Partial<Problem> = (await response?.json().catch(() => {})) ?? {}
  const field = fields?.[0]
  return field ? `${title} (${field.path.replace('body.', '')}: ${field.message})` : (detail ?? title ?? `${status}`)
}
