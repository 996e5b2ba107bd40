import { isEmailAddress } from '#server/platform/mail/address.ts'
import { AuthError } from '../protocol/auth-error.ts'

/** Lower-cases the address. @throws AuthError `validation_failed` when it is invalid. */
export function readEmail(email: string): string {
  if (!isEmailAddress(email)) {
    throw new AuthError('validation_failed', { message: 'Unable to validate email address: invalid format' })
  }
  return email.toLowerCase()
}

// The metadata is part of every access token, and headers hold at most 16 kB.
const maxMetadataBytes = 4096

/** @throws AuthError `validation_failed` when the metadata is too large for a token. */
export function checkMetadata(metadata: Readonly<Record<string, unknown>>): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes) {
    throw new AuthError('validation_failed', { message: `User metadata is limited to ${maxMetadataBytes} bytes` })
  }
}
