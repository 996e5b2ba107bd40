import { describe, expect, it } from 'vitest'
import { judgePassword } from './password-strength.ts'

describe('judgePassword', () => {
  it.each([
    ['', 'empty'],
    ['abc', 'short'],
    ['12345', 'short'],
    ['ééééé', 'short'],
    ['123456', 'weak'],
    ['password', 'weak'],
    ['Password1!', 'weak'],
    ['aaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
    ['abcdefghijklmnopqrstuvwxyz', 'weak'],
    ['qwerty123456', 'weak'],
    ['kitchen7', 'weak'],
    ['Kitchen7!', 'fair'],
    ['kitchen7!A', 'fair'],
    ['lampenschirm', 'fair'],
    ['correct horse battery staple', 'strong'],
    ['vK8#qm2!Zr4w', 'strong'],
  ])('%j is %s', (password, strength) => {
    expect(judgePassword(password)).toBe(strength)
  })
})
