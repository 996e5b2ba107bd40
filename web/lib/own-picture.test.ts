import { describe, expect, it } from 'vitest'
import { findOwnPicture } from './own-picture.ts'

const origin = 'https://earshot.example.com'
const path = '/api/v1/avatars/0192f0c1-7a3b-7c1e-9f00-1a2b3c4d5e6f'

describe('findOwnPicture', () => {
  it.each([path, `${origin}${path}`])('shows %s', (address) => {
    expect(findOwnPicture(address, origin)).toBe(path)
  })

  it.each([
    null,
    '',
    'https://lh3.googleusercontent.com/a/picture',
    `https://elsewhere.example${path}`,
    `//elsewhere.example${path}`,
    '/api/v1/account',
    'javascript:alert(1)',
    'https://',
  ])('shows initials instead of %s', (address) => {
    expect(findOwnPicture(address, origin)).toBeUndefined()
  })
})
