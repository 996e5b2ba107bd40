import { hash } from '@node-rs/argon2'
import { AuthError } from '../protocol/auth-error.ts'
import { argon2id, checkHash, isDatedHash, isUsableHash, ownDecoyHash } from './password-hash.ts'

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

/**
 * Whether the password belongs to the hash. Without a hash (no such user, or one without a password) it works as
 * long for the same answer, so that the time does not tell who has an account.
 *
 * @param decoyHash what to work on then; by default a hash as new passwords get it.
 */
export async function isPasswordCorrect(
  password: string,
  passwordHash: string | null | undefined,
  decoyHash: string = ownDecoyHash,
): Promise<boolean> {
  const known = passwordHash && isUsableHash(passwordHash) ? passwordHash : undefined
  const matches = await checkHash(password, known ?? decoyHash)
  return known !== undefined && matches
}

/**
 * A new hash in place of an imported one, now that the password is known to belong to it.
 *
 * @returns undefined where there is nothing to renew. A password beyond what we take is left as it is: bcrypt reads
 * its beginning only, and the whole of it would from then on be another password.
 */
export async function renewPasswordHash(password: string, passwordHash: string): Promise<string | undefined> {
  if (!isDatedHash(passwordHash) || Buffer.byteLength(password) > maxPasswordBytes) return undefined
  return hashPassword(password)
}
