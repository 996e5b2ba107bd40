import type { ReactNode } from 'react'

/**
 * A form that asks for a typed confirmation, and for the password or a code from an email. The account's feature makes
 * it; the app hands it to other features.
 */
export interface IdentityFormProps {
  label: string
  /** Says what to type. */
  prompt: ReactNode
  /** @returns true, or the message beside the field. */
  checkTyped: (typed: string) => true | string
  isEmail?: boolean
  /** On the button that does it. */
  action: string
  /**
   * Does it.
   *
   * @param token access token of the proof: a sign-in of its own.
   * @throws Error whose message the form shows.
   */
  onProven: (token: string, typed: string) => Promise<void>
  onCancel: () => void
}
