import type { ByteRange } from '#server/platform/storage/storage.ts'

/**
 * Reads a Range header (RFC 9110, section 14) for a file of this size. Of several ranges none is taken: the whole may
 * always be sent instead.
 *
 * @returns undefined: send the whole. `unsatisfiable`: the file has no such part.
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Number(last)
    return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(size - length, 0), end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  // "bytes=5-2" is no range at all.
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
