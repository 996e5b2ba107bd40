import { describe, expect, it } from 'vitest'
import { hasErrorCode, readErrorCode, readErrorMessage } from './read-error.ts'

describe('readErrorCode', () => {
  it('reads the code of an error', () => {
    expect(readErrorCode(Object.assign(new Error('gone'), { code: 'ENOENT' }))).toBe('ENOENT')
    expect(hasErrorCode({ code: '23505' }, '23505')).toBe(true)
  })

  it.each([[undefined], [null], ['ENOENT'], [new Error('plain')], [{ code: 7 }]])('finds none in %o', (thrown) => {
    expect(readErrorCode(thrown)).toBeUndefined()
    expect(hasErrorCode(thrown, 'ENOENT')).toBe(false)
  })
})

describe('readErrorMessage', () => {
  it('gives the message of an error, else the thrown value as text', () => {
    expect(readErrorMessage(new RangeError('too far'))).toBe('too far')
    expect(readErrorMessage('stopped')).toBe('stopped')
    expect(readErrorMessage(undefined)).toBe('undefined')
  })
})
