import { describe, expect, it } from 'vitest'
import { findListProblems, listHosts } from './typed-domains.ts'

describe('listHosts', () => {
  it('shortens each address of a pasted list to its domain, and names a repeated one once', () => {
    const pasted =
      'https://shop.example.com/cart?a=1\r\n  *.staging.example.net,help.example.org;SHOP.example.com:8080\n\n'
    expect(listHosts(pasted)).toEqual(['shop.example.com', 'staging.example.net', 'help.example.org'])
  })

  it('keeps an entry without a host as typed', () => {
    expect(listHosts('https:// \n shop')).toEqual(['https://', 'shop'])
  })
})

describe('findListProblems', () => {
  it('names every line that is no domain', () => {
    expect(findListProblems(['example.com', 'shop', '12345', 'localhost'])).toEqual([
      'Line 2, “shop”: Did you mean shop.com? A domain has a dot in it.',
      'Line 3, “12345”: This is a number, not a domain. Example: example.com',
    ])
  })

  it('says how many domains are too many', () => {
    const hosts = Array.from({ length: 22 }, (_, at) => `shop${at}.example`)
    expect(findListProblems(hosts)).toEqual(['At most 20 domains. These are 22.'])
  })
})
