import { type ConsoleEntry, readPageEvents } from './read-page-events.ts'

/** Something that happened on the page while it was recorded. */
export interface RecordedEvent {
  /** Milliseconds from the beginning of the recording. */
  readonly atMs: number
  readonly kind: 'console' | 'network' | 'page'
  readonly level: ConsoleEntry['level']
  readonly text: string
}

/** What happened right before belongs to it: an error makes people begin to record. */
const leadMs = 2000
const dayMs = 86_400_000

/**
 * Console, requests and pages of an item's context that fall into a recording, in order.
 *
 * @param startedAtMs when the recording began by the visitor's own clock, which the context's times come from
 */
export function alignEvents(
  context: Readonly<Record<string, unknown>>,
  { startedAtMs, durationMs }: { startedAtMs: number; durationMs: number },
): RecordedEvent[] {
  // Later than any of them, so that no time is cut off.
  const afterAllMs = startedAtMs + durationMs + dayMs
  const { console, network, routes } = readPageEvents(context, afterAllMs)
  const at = (beforeMs: number) => afterAllMs - beforeMs - startedAtMs
  const events: RecordedEvent[] = [
    ...console.map(({ beforeMs, level, text }) => ({ atMs: at(beforeMs), kind: 'console' as const, level, text })),
    ...network.map(({ beforeMs, method, url, status, durationMs: ms }) => ({
      atMs: at(beforeMs),
      kind: 'network' as const,
      level: status === 0 || status >= 400 ? ('error' as const) : ('info' as const),
      text: `${method} ${url} ${status === 0 ? 'failed' : status} · ${Math.round(ms)} ms`,
    })),
    ...routes.map(({ beforeMs, url }) => ({
      atMs: at(beforeMs),
      kind: 'page' as const,
      level: 'info' as const,
      text: url,
    })),
  ]
  return events
    .filter(({ atMs }) => atMs >= -leadMs && atMs <= durationMs)
    .map((event) => ({ ...event, atMs: Math.max(0, event.atMs) }))
    .sort((a, b) => a.atMs - b.atMs)
}

/** A screen recording counts down from three after its id was made. */
const countdownMs = 3000

/**
 * When a recording began by the visitor's clock: its id is a UUIDv7 (RFC 9562), made when the recorder was ready, and
 * holds the milliseconds since 1970. Undefined for ids made otherwise. Pauses are not known: after one, times are early.
 */
export function findRecordingStart(attachmentId: string): number | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(attachmentId)) return undefined
  return Number.parseInt(attachmentId.replaceAll('-', '').slice(0, 12), 16) + countdownMs
}
