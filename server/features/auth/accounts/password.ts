import { hash, verify } from '@node-rs/argon2'
import { AuthError } from '../protocol/auth-error.ts'

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// What GoTrue takes, so that a password can move to a Supabase project and back.
const maxPasswordBytes = 72

/** @throws AuthError `validation_failed` or `weak_password`. */
export function checkNewPassword(password: string, minLength: number): void {
  if (password === '') throw new AuthError('validation_failed', { message: 'Signup requires a valid password' })
  if (Buffer.byteLength(password) > maxPasswordBytes) {
    throw new AuthError('validation_failed', {
      message: `Password cannot be longer than ${maxPasswordBytes} characters`,
    })
  }
  if ([...password].length < minLength) {
    throw new AuthError('weak_password', {
      message: `Password should be at least ${minLength} characters.`,
      weakPasswordReasons: ['length'],
    })
  }
}

/** The password's argon2id hash in PHC form. Takes tens of milliseconds, off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, argon2id)
}

let decoy: Promise<string> | undefined

/**
 * Whether the password belongs to the hash. Without a hash (no such user, or one without a password) it works as
 * long for the same answer, so that the time does not tell who has an account.
 */
export async function isPasswordCorrect(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const known = passwordHash?.startsWith('$argon2') ? passwordHash : undefined
  decoy ??= hashPassword('the decoy of a missing account')
  const matches = await verify(known ?? (await decoy), password).catch(() => false)
  return known !== undefined && matches
}
