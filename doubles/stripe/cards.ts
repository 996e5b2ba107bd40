/*
 * Stripe's test cards (https://docs.stripe.com/testing) and how a payment with each of them ends.
 */

/** A test card's number, what it is called as a payment method of tests, and its behaviour. */
export interface TestCard {
  readonly number: string
  readonly token: string
  readonly brand: 'visa' | 'mastercard'
  /** Of every payment. */
  readonly declineCode?: 'generic_decline' | 'insufficient_funds'
  /** Also when it is only saved, without a payment. */
  readonly refusesSetup?: boolean
  /** `always`: every payment needs the customer; `setup`: only until it was authenticated once. */
  readonly authentication?: 'always' | 'setup'
}

const cards: readonly TestCard[] = [
  { number: '4242424242424242', token: 'pm_card_visa', brand: 'visa' },
  { number: '5555555555554444', token: 'pm_card_mastercard', brand: 'mastercard' },
  {
    number: '4000000000000002',
    token: 'pm_card_visa_chargeDeclined',
    brand: 'visa',
    declineCode: 'generic_decline',
    refusesSetup: true,
  },
  {
    number: '4000000000009995',
    token: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    brand: 'visa',
    declineCode: 'insufficient_funds',
    refusesSetup: true,
  },
  { number: '4000000000000341', token: 'pm_card_chargeCustomerFail', brand: 'visa', declineCode: 'generic_decline' },
  {
    number: '4000002500003155',
    token: 'pm_card_authenticationRequiredOnSetup',
    brand: 'visa',
    authentication: 'setup',
  },
  { number: '4000002760003184', token: 'pm_card_authenticationRequired', brand: 'visa', authentication: 'always' },
]

/** By its number as typed, or its name as a payment method. */
export function findTestCard(numberOrToken: string): TestCard | undefined {
  const digits = numberOrToken.replace(/[\s-]/g, '')
  return cards.find(({ number, token }) => number === digits || token === numberOrToken)
}

/** How a payment ends. */
export type CardOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'requires_action' }
  | { readonly kind: 'declined'; readonly declineCode: string; readonly message: string }

/** @param isAuthenticated the customer completed 3-D Secure, for this payment or (of some cards) for later ones */
export function decideOutcome(card: TestCard, isAuthenticated: boolean): CardOutcome {
  if (card.declineCode !== undefined) {
    const isPoor = card.declineCode === 'insufficient_funds'
    const message = isPoor ? 'Your card has insufficient funds.' : 'Your card was declined.'
    return { kind: 'declined', declineCode: card.declineCode, message }
  }
  return card.authentication !== undefined && !isAuthenticated ? { kind: 'requires_action' } : { kind: 'succeeded' }
}
