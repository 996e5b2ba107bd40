import { describe, expect, it } from 'vitest'
import { nameBrowser, nameCountry, namePage } from './name-origin.ts'

describe('namePage', () => {
  it.each([
    ['https://Shop.example.com/a/b/', 'shop.example.com/a/b'],
    ['http://localhost:3000/', 'localhost:3000'],
    ['https://x.example/orders/1001/items/7', 'x.example/orders/*/items/*'],
    ['https://x.example/u/0192e4a0-0000-7000-8000-00000000d101', 'x.example/u/*'],
    ['https://x.example/p/oak-table-with-4-chairs-and-bench', 'x.example/p/oak-table-with-4-chairs-and-bench'],
    ['/only/a/path', '/only/a/path'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['', ''],
  ])('%s → %s', (url, page) => expect(namePage(url)).toBe(page))

  it('is cut off between characters', () => {
    const page = namePage(`https://x.example/${'😀'.repeat(500)}`)
    expect([...page].length).toBe(200)
    expect(page.isWellFormed()).toBe(true)
  })
})

describe('nameCountry', () => {
  it.each([
    ['de-AT', 'AT'],
    ['en', ''],
    ['zh-Hant-TW', 'TW'],
    ['pt_br', 'BR'],
    ['es-419', ''],
    ['<script>-xx', 'XX'],
    ['', ''],
  ])('%s → %s', (language, country) => expect(nameCountry(language)).toBe(country))
})

describe('nameBrowser', () => {
  it('knows those that name others too', () => {
    expect(nameBrowser('Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0')).toBe(
      'Edge',
    )
    expect(nameBrowser('Mozilla/5.0 (iPhone) Version/26.1 Mobile/15E148 Safari/604.1')).toBe('Safari')
    expect(nameBrowser('curl/8')).toBe('')
  })
})
