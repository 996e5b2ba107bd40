import type { Requester } from './requester.ts'

/** The input of an email whose link proves that its reader owns the address. */
export interface LinkMail {
  readonly appUrl: string
  readonly to: string
  /** URL on the instance's own origin, with a secret that works once. */
  readonly link: string
  /** A six-digit code, equivalent to the link. */
  readonly code: string
  readonly validMinutes: number
  readonly requester: Requester
  /** An earlier sign-up with the address was cancelled by this request: the reader's, or a stranger's. */
  readonly cancelsSignUp?: boolean
}

/** "45 minutes", "1 hour", "24 hours", "7 days": the largest unit that needs no fraction, days from two on. */
export function formatLife(minutes: number): string {
  const whole = Math.round(minutes)
  if (whole % 1440 === 0 && whole >= 2880) return `${whole / 1440} days`
  if (whole % 60 === 0) return whole === 60 ? '1 hour' : `${whole / 60} hours`
  return whole === 1 ? '1 minute' : `${whole} minutes`
}
