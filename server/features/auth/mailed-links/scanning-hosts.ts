import { resolveMx } from 'node:dns/promises'

/** Whether the email provider of an address opens the links of incoming emails. */
export type ScanCheck = (address: string) => Promise<boolean>

// Hosts whose scanners open links in real browsers, which no header gives away: Microsoft, Proofpoint, Mimecast,
// Barracuda, Cisco, Forcepoint, Symantec, Trend Micro.
const scanningDomains = /^(?:outlook|hotmail|live|msn)\.(?:[a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/
const scanningExchangers =
  /(?:^|\.)(?:protection\.outlook\.com|pphosted\.com|ppe-hosted\.com|mimecast\.(?:com|co\.za)|barracudanetworks\.com|iphmx\.com|mailcontrol\.com|messagelabs\.com|trendmicro\.(?:com|eu))$/
// RFC 2606 and RFC 6762: no such domain has an email provider.
const withoutHost = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost|local)$/

const freshForMs = 60 * 60_000
const timeoutMs = 1000
const maxDomains = 10_000

/**
 * Looks up mail exchangers, at most once an hour for each domain. Without an answer within a second the host counts as
 * one that does not scan: the person waits for their link.
 *
 * @param lookUp the hosts that receive email for a domain.
 */
export function createScanCheck(lookUp: (domain: string) => Promise<readonly string[]> = lookUpExchangers): ScanCheck {
  const known = new Map<string, { at: number; answer: Promise<boolean> }>()

  async function ask(domain: string): Promise<boolean> {
    const exchangers = await Promise.race([lookUp(domain), giveUp()]).catch(() => [])
    return exchangers.some((host) => scanningExchangers.test(host.toLowerCase().replace(/\.$/, '')))
  }

  return async (address) => {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
    if (scanningDomains.test(domain)) return true
    if (withoutHost.test(domain)) return false
    const now = performance.now()
    const before = known.get(domain)
    if (before && now - before.at < freshForMs) return before.answer
    if (known.size >= maxDomains) known.clear()
    const answer = ask(domain)
    known.set(domain, { at: now, answer })
    return answer
  }
}

async function lookUpExchangers(domain: string): Promise<string[]> {
  return (await resolveMx(domain)).map(({ exchange }) => exchange)
}

function giveUp(): Promise<readonly string[]> {
  return new Promise((resolve) => setTimeout(resolve, timeoutMs, []).unref())
}
