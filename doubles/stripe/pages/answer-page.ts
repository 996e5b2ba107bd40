import type { Account } from '../account.ts'
import { catchUp } from '../test-clocks.ts'
import { answerAuthentication } from './authentication-page.ts'
import { answerCheckout } from './checkout-page.ts'
import { html, renderPage } from './html.ts'
import { answerInvoice } from './invoice-page.ts'
import type { PageReply, PageRequest } from './page.ts'
import { answerPortal } from './portal-page.ts'

const pages: readonly { readonly path: RegExp; readonly answer: (request: PageRequest) => PageReply }[] = [
  { path: /^\/c\/pay\/([^/]+)\/([^/]+)$/, answer: answerCheckout },
  { path: /^\/p\/session\/([^/]+)\/([^/]+)$/, answer: answerPortal },
  { path: /^\/i\/([^/]+)\/([^/]+)(?:\/pdf)?$/, answer: answerInvoice },
]

/** Answers requests of browsers. */
export function answerPage(accounts: readonly Account[], path: string, form: URLSearchParams | undefined): PageReply {
  const [, secret] = /^\/3ds\/([^/]+)$/.exec(path) ?? []
  const payer = accounts.find(({ tables }) => tables.paymentIntents.list((each) => each.client_secret === secret)[0])
  if (secret !== undefined && payer) return answerAuthentication({ account: payer, id: secret, form, path })
  const embedded = findEmbedded(accounts, path)
  if (embedded !== undefined) return { location: embedded }
  for (const { path: pattern, answer } of pages) {
    const [, accountId, id = ''] = pattern.exec(path) ?? []
    const account = accounts.find((each) => each.id === accountId)
    if (!account) continue
    catchUp(account)
    return answer({ account, id, form, path })
  }
  return { status: 404, html: renderPage('Page not found', html``) }
}

/** The page of an embedded session, by its client secret. */
function findEmbedded(accounts: readonly Account[], path: string): string | undefined {
  const [, secret] = /^\/embedded\/([^/]+)$/.exec(path) ?? []
  if (secret === undefined) return undefined
  for (const account of accounts) {
    const [session] = account.tables.checkoutSessions.list((each) => each.client_secret === decodeURIComponent(secret))
    if (session) return `/c/pay/${account.id}/${session.id}`
  }
  return undefined
}
