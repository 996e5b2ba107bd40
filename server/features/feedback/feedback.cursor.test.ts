import { describe, expect, it } from 'vitest'
import { readCursor, writeCursor } from './feedback.cursor.ts'

describe('cursor', () => {
  it('keeps time to the microsecond, and the id', () => {
    const place = { createdAt: '2026-01-31T09:30:00.123456Z', id: '01a2b3c4-0000-7000-8000-000000000001' }
    expect(readCursor(writeCursor(place))).toEqual(place)
  })

  it.each([
    '',
    'x',
    Buffer.from('2026-13-45T09:30:00.123456Z 01a2b3c4-0000-7000-8000-000000000001').toString('base64url'),
  ])('refuses %j, naming the field', (cursor) => {
    expect(() => readCursor(cursor)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        fields: [expect.objectContaining({ path: 'query.cursor' })],
      }),
    )
  })
})
