/**
 * A UUIDv7 (RFC 9562): 48 bits of milliseconds, then random bits; of its variant only the first value is used.
 * `crypto.randomUUID` makes version 4 and is missing on pages served over plain HTTP, where the widget has to work too.
 */
export function createUuidV7(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7xxx-8xxx-xxxxxxxxxxxx`.replace(/x/g, () =>
    ((crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) & 15).toString(16),
  )
}
