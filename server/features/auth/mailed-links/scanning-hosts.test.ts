import { describe, expect, it } from 'vitest'
import { createScanCheck } from './scanning-hosts.ts'

describe('an email provider', () => {
  it.each([
    ['ada@outlook.com', [], true],
    ['ada@hotmail.co.uk', [], true],
    ['ada@company.de', ['company-de.mail.protection.outlook.com'], true],
    ['ada@company.de', ['mx1.company.de', 'MXA-1.GSLB.PPHOSTED.COM.'], true],
    ['ada@company.de', ['gmail-smtp-in.l.google.com'], false],
    ['ada@company.de', ['notpphosted.com', 'pphosted.com.evil.net'], false],
    ['ada@outlook.com.evil.net', [], false],
  ])('of %s with %j scans: %s', async (address, exchangers, scans) => {
    expect(await createScanCheck(async () => exchangers)(address)).toBe(scans)
  })

  it('is looked up once for many addresses, and never for reserved domains', async () => {
    const asked: string[] = []
    const check = createScanCheck(async (domain) => {
      asked.push(domain)
      return []
    })
    await Promise.all(['a@company.de', 'b@COMPANY.de', 'c@example.com', 'd@mail.test'].map(check))
    await check('e@company.de')
    expect(asked).toEqual(['company.de'])
  })

  it('counts as one that does not scan when the lookup fails', async () => {
    const check = createScanCheck(() => Promise.reject(new Error('ENOTFOUND')))
    expect(await check('ada@company.de')).toBe(false)
  })
})
