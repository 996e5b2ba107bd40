import { describe, expect, it } from 'vitest'
import { readCursor, writeCursor } from './feedback.cursor.ts'

const place = {
  sort: 'priority',
  rank: 3,
  at: '2026-01-31T09:30:00.123456Z',
  id: '01a2b3c4-0000-7000-8000-000000000001',
} as const

describe('cursor', () => {
  it('keeps the order, the place in it to the microsecond, and the id', () => {
    expect(readCursor(writeCursor(place), 'priority')).toEqual(place)
  })

  it.each([
    '',
    'x',
    Buffer.from('newest 0 2026-13-45T09:30:00.123456Z 01a2b3c4-0000-7000-8000-000000000001').toString('base64url'),
    Buffer.from('latest 0 2026-01-31T09:30:00.123456Z 01a2b3c4-0000-7000-8000-000000000001').toString('base64url'),
  ])('refuses %j, naming the field', (cursor) => {
    expect(() => readCursor(cursor, 'newest')).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        fields: [expect.objectContaining({ path: 'query.cursor' })],
      }),
    )
  })

  it('refuses one of another order', () => {
    expect(() => readCursor(writeCursor(place), 'newest')).toThrow(
      expect.objectContaining({ fields: [{ path: 'query.cursor', message: expect.stringContaining('priority') }] }),
    )
  })
})
