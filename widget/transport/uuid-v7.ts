/**
 * A UUIDv7 (RFC 9562): 48 bits of milliseconds, then random bits. `crypto.randomUUID` makes version 4 and is missing on
 * pages served over plain HTTP, where the widget has to work too.
 */
export function createUuidV7(now = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const time = now.toString(16).padStart(12, '0')
  const variant = '89ab'[(bytes[8] ?? 0) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
