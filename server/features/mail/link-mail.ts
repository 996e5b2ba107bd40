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
  /** An earlier sign-up with the address was cancelled by this request. */
  readonly cancelsSignUp?: boolean
}

/** Intro of the code in every email that also has a link. */
export const codeIntro = 'If a screen asks for a code, enter this one:'

/** For the reader whose earlier sign-up this was, and for the one whose address a stranger had used. */
export const cancelledSignUp =
  'This cancels an earlier sign-up with this address: its password and its confirmation email no longer work.'

/** "45 minutes", "1 hour", "24 hours", "7 days": the largest unit that needs no fraction, days from two on. */
export function formatLife(minutes: number): string {
  const whole = Math.round(minutes)
  if (whole % 1440 === 0 && whole >= 2880) return `${whole / 1440} days`
  if (whole % 60 === 0) return whole === 60 ? '1 hour' : `${whole / 60} hours`
  return whole === 1 ? '1 minute' : `${whole} minutes`
}
