import { hash } from '@node-rs/argon2'
import { AuthError } from '../protocol/auth-error.ts'
import { argon2id, checkHash, isDatedHash, isUsableHash, ownDecoyHash } from './password-hash.ts'

// GoTrue's limit, so that a password can move to a Supabase project and back.
const maxPasswordBytes = 72

// Keyboards differ in how they compose "é": one character, or a letter and an accent. One password in both forms (RFC 8265).
function unify(password: string): string {
  return password.normalize('NFC')
}

/** @throws AuthError `validation_failed` or `weak_password`. */
export function checkNewPassword(typed: string, minLength: number): void {
  const password = unify(typed)
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
  return hash(unify(password), argon2id)
}

/**
 * Whether the password belongs to the hash. Without a hash (no such user, or one without a password) the check takes as
 * long, so that response times do not reveal who has an account.
 *
 * @param decoyHash the hash to check instead; by default one of the kind for new passwords.
 */
export async function isPasswordCorrect(
  password: string,
  passwordHash: string | null | undefined,
  decoyHash: string = ownDecoyHash,
): Promise<boolean> {
  const known = passwordHash && isUsableHash(passwordHash) ? passwordHash : undefined
  // Imported hashes, and our older ones, are of the text as it was typed. How many forms there are depends on what was
  // typed alone.
  for (const form of new Set([unify(password), password, password.normalize('NFD')])) {
    if (await checkHash(form, known ?? decoyHash)) return known !== undefined
  }
  return false
}

/**
 * A new hash to replace an imported one, once the password was verified.
 *
 * @returns undefined when no renewal is needed. A password over our limit keeps its hash: bcrypt reads only its
 * beginning, so a hash of the whole would be another password's.
 */
export async function renewPasswordHash(password: string, passwordHash: string): Promise<string | undefined> {
  if (!isDatedHash(passwordHash) || Buffer.byteLength(unify(password)) > maxPasswordBytes) return undefined
  return hashPassword(password)
}
