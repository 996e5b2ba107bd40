import type { Account } from '../account.ts'
import { findTestCard, type TestCard } from '../cards.ts'
import { refuse, StripeRefusal } from '../refusal.ts'

/** A request for a page. */
export interface PageRequest {
  readonly account: Account
  /** The part of the path that names the session, invoice or payment. */
  readonly id: string
  /** Undefined: the page is only shown. */
  readonly form: URLSearchParams | undefined
  /** Its own address. */
  readonly path: string
}

/** A page, or where the browser goes instead. */
export type PageReply =
  | { readonly status: number; readonly html: string }
  | { readonly location: string }
  | { readonly pdf: Buffer }

/** The test card that a form names. @throws StripeRefusal with a message for the customer */
export function readCard(account: Account, form: URLSearchParams): TestCard {
  const card = findTestCard(form.get('card') ?? '')
  if (!card) throw refuse('Your card number is invalid. Only test cards are accepted here.')
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/\s*(\d{2}|\d{4})\s*$/.exec(form.get('expiry') ?? '') ?? []
  const now = new Date(account.now() * 1000)
  const end = Date.UTC((Number(year) % 100) + 2000, Number(month))
  if (month === '' || Number(month) < 1 || Number(month) > 12)
    throw refuse('Your card’s expiration date is incomplete.')
  if (end <= now.getTime()) throw refuse('Your card’s expiration year is in the past.')
  if (!/^\d{3,4}$/.test(form.get('cvc') ?? '')) throw refuse('Your card’s security code is incomplete.')
  return card
}

/** The message of a refusal. @throws other errors again */
export function readRefusal(error: unknown): string {
  if (error instanceof StripeRefusal) return error.message
  throw error
}
