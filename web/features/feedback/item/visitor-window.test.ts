import { describe, expect, it } from 'vitest'
import { findVisitorWindow } from './visitor-window.ts'

const page = 'https://shop.example/basket'

describe('findVisitorWindow', () => {
  it('reads the page and the size of the visitor’s window', () => {
    expect(findVisitorWindow(page, { viewport: { width: 390, height: 663.5 } })).toEqual({
      href: page,
      width: 390,
      height: 664,
    })
  })

  it.each(['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'file:///etc/passwd', 'basket', ''])(
    'opens no page at %s',
    (url) => {
      expect(findVisitorWindow(url, { viewport: { width: 390, height: 663 } })).toBeUndefined()
    },
  )

  it.each([
    [{}],
    [{ viewport: null }],
    [{ viewport: '390x663' }],
    [{ viewport: { width: '390,noopener=0', height: 663 } }],
    [{ viewport: { width: 1, height: 663 } }],
    [{ viewport: { width: 390, height: 1e9 } }],
  ])('knows no window by %j', (context) => {
    expect(findVisitorWindow(page, context)).toBeUndefined()
  })
})
