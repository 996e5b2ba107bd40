import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { hasErrorCode } from '#server/platform/read-error.ts'
import type { Verdict } from './verdict.ts'

const megabyte = 1024 * 1024
// A minute of a busy page is a tenth of this. A higher ratio is a decompression bomb.
const maxUnpackedBytes = 40 * megabyte
const maxEvents = 200_000
const unpack = promisify(gunzip)

/** Whether a file is a replay: JSON, plain or gzip, of an array of events with a type and a time. */
export async function judgeReplay(path: string): Promise<Verdict> {
  const bytes = await readFile(path)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const events = isPacked ? await readPacked(bytes) : readJson(bytes)
  if (events === 'too large') return { refusal: 'Refused: unpacked, the replay is too large.' }
  if (!Array.isArray(events) || events.length === 0 || events.length > maxEvents || !events.every(isEvent)) {
    return { refusal: 'Refused: it should be a replay, but holds something else.' }
  }
  const times = events.map(({ timestamp }) => timestamp)
  const durationMs = Math.round((times.at(-1) ?? 0) - (times[0] ?? 0))
  return {
    mime: isPacked ? 'application/gzip' : 'application/json',
    ...(durationMs >= 0 && durationMs <= 3_600_000 && { durationMs }),
  }
}

async function readPacked(bytes: Buffer): Promise<unknown> {
  try {
    return readJson(await unpack(bytes, { maxOutputLength: maxUnpackedBytes }))
  } catch (error) {
    return hasErrorCode(error, 'ERR_BUFFER_TOO_LARGE') ? 'too large' : undefined
  }
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function isEvent(event: unknown): event is { type: number; timestamp: number } {
  if (typeof event !== 'object' || event === null) return false
  // Each field is unknown, and checked below.
  const { type, timestamp } = event as { type?: unknown; timestamp?: unknown }
  return typeof type === 'number' && typeof timestamp === 'number' && Number.isFinite(timestamp)
}
