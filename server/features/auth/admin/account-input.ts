import { isUuid } from '#contract/uuid.ts'
import { readEmail } from '../accounts/account-data.ts'
import { checkNewPassword, hashPassword } from '../accounts/password.ts'
import { isUsableHash } from '../accounts/password-hash.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { type JsonObject, readFlag, readObject, readText } from '../protocol/request-body.ts'
import { parseGoDuration } from './go-duration.ts'

/** The account fields of an admin request. Undefined: not given. */
export interface AccountInput {
  readonly id: string | undefined
  /** Lower-cased. */
  readonly email: string | undefined
  readonly passwordHash: string | undefined
  readonly isConfirmed: boolean
  readonly userMetadata: JsonObject
  readonly appMetadata: JsonObject
  /** Null lifts a ban. */
  readonly bannedUntil: Date | null | undefined
}

const nilUuid = '00000000-0000-0000-0000-000000000000'

/** @throws AuthError for unsupported fields, instead of silently ignoring them. */
export async function readAccountInput(body: JsonObject, minPasswordLength: number): Promise<AccountInput> {
  if (readText(body, 'phone') !== '') {
    throw new AuthError('phone_provider_disabled', { message: 'Phone numbers are not supported' })
  }
  // Access tokens have fixed values for these; another stored value would have no effect.
  for (const name of ['aud', 'role']) {
    if (!['', 'authenticated'].includes(readText(body, name))) {
      throw new AuthError('validation_failed', { message: `${name} can only be authenticated` })
    }
  }
  const email = readText(body, 'email')
  const input = {
    id: readId(readText(body, 'id')),
    email: email === '' ? undefined : readEmail(email),
    isConfirmed: readFlag(body, 'email_confirm', false),
    userMetadata: readObject(body, 'user_metadata'),
    appMetadata: readObject(body, 'app_metadata'),
    bannedUntil: readBan(readText(body, 'ban_duration')),
  }
  // Last, because hashing is slow.
  return { ...input, passwordHash: await readPassword(body, minPasswordLength) }
}

/** The account id in a URL of the API. @throws AuthError `validation_failed` */
export function readUserId(params: unknown): string {
  // The route's path has this parameter.
  const { userId } = params as { userId: string }
  if (!isUuid(userId.toLowerCase())) {
    throw new AuthError('validation_failed', { status: 404, message: 'user_id must be an UUID' })
  }
  return userId.toLowerCase()
}

function readId(id: string): string | undefined {
  if (id === '') return undefined
  if (!isUuid(id.toLowerCase())) {
    throw new AuthError('validation_failed', { message: 'ID must conform to the uuid v4 format' })
  }
  if (id === nilUuid) throw new AuthError('validation_failed', { message: 'ID cannot be a nil uuid' })
  return id.toLowerCase()
}

async function readPassword(body: JsonObject, minLength: number): Promise<string | undefined> {
  const [password, hash] = [readText(body, 'password'), readText(body, 'password_hash')]
  if (password !== '' && hash !== '') {
    throw new AuthError('validation_failed', { message: 'Only a password or a password hash should be provided' })
  }
  if (hash !== '') {
    if (isUsableHash(hash)) return hash
    throw new AuthError('validation_failed', {
      message: 'password_hash must be a bcrypt, argon2 or Firebase scrypt hash of a moderate cost',
    })
  }
  if (password === '') return undefined
  checkNewPassword(password, minLength)
  return hashPassword(password)
}

function readBan(text: string): Date | null | undefined {
  if (text === '') return undefined
  if (text === 'none') return null
  const ms = parseGoDuration(text)
  if (ms === undefined) {
    throw new AuthError('validation_failed', {
      message: 'invalid format for ban duration: it must be like 24h or none',
    })
  }
  return ms === 0 ? null : new Date(Date.now() + ms)
}
