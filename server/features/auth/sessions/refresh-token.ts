import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/*
 * A refresh token names its session and a count, and is signed with a key of that session:
 *
 *   base64url( version 0 | session id, 16 bytes | counter, LEB128 | HMAC-SHA-256, 16 bytes | checksum, 4 bytes )
 *
 * Nothing stored can be presented as a token, and a server may answer a repeated refresh with the same token again,
 * which it could not if it kept only a hash. The checksum lets a server refuse noise without a query.
 */
const version = 0
const sessionIdBytes = 16
const signatureBytes = 16
const checksumBytes = 4
const minBytes = 1 + sessionIdBytes + 1 + signatureBytes + checksumBytes
const maxBytes = minBytes + 8

export interface RefreshToken {
  readonly sessionId: string
  readonly counter: number
}

/** A new key for one session's tokens, as base64url. */
export function createRefreshTokenKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Formats the session's token with count `counter`. */
export function formatRefreshToken({ sessionId, counter }: RefreshToken, key: string): string {
  const signed = toSignedBytes({ sessionId, counter })
  const unchecked = Buffer.concat([signed, sign(signed, key)])
  return Buffer.concat([unchecked, checksum(unchecked)]).toString('base64url')
}

/**
 * Reads a token without trusting it: {@link isRefreshTokenGenuine} must follow.
 *
 * @returns undefined for anything that was never a token.
 */
export function parseRefreshToken(token: string): RefreshToken | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(token) || token.length > Math.ceil((maxBytes * 4) / 3)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length < minBytes || bytes.length > maxBytes || bytes[0] !== version) return undefined
  const unchecked = bytes.subarray(0, -checksumBytes)
  if (!checksum(unchecked).equals(bytes.subarray(-checksumBytes))) return undefined
  const counterBytes = unchecked.subarray(1 + sessionIdBytes, -signatureBytes)
  const counter = readCounter(counterBytes)
  if (counter === undefined) return undefined
  const hex = unchecked.subarray(1, 1 + sessionIdBytes).toString('hex')
  return { sessionId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), counter }
}

/** Whether the token was signed with the session's key. Takes the same time for every answer. */
export function isRefreshTokenGenuine(token: string, key: string): boolean {
  const parsed = parseRefreshToken(token)
  if (!parsed) return false
  const expected = Buffer.from(formatRefreshToken(parsed, key))
  const given = Buffer.from(token)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function toSignedBytes({ sessionId, counter }: RefreshToken): Buffer {
  const id = Buffer.from(sessionId.replaceAll('-', ''), 'hex')
  return Buffer.concat([Buffer.from([version]), id, writeCounter(counter)])
}

function sign(bytes: Buffer, key: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(bytes).digest().subarray(0, signatureBytes)
}

function checksum(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, checksumBytes)
}

function writeCounter(counter: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt(counter)
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 0x80 : low)
  } while (rest > 0n)
  return Buffer.from(bytes)
}

function readCounter(bytes: Buffer): number | undefined {
  let value = 0n
  for (const [index, byte] of bytes.entries()) {
    value |= BigInt(byte & 0x7f) << BigInt(7 * index)
    const isLast = index === bytes.length - 1
    if (isLast !== (byte & 0x80) < 0x80) return undefined
  }
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined
}
