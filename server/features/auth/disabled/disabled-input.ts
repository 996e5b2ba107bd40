import type { FastifyRequest } from 'fastify'
import { AuthError } from '../protocol/auth-error.ts'
import { type JsonObject, readJsonObject, readQuery, readText } from '../protocol/request-body.ts'

/** GoTrue's refusal for input of a disabled feature, on routes that are enabled; undefined for all other input. */
type Refusal = (body: JsonObject, query: unknown) => AuthError | undefined

const idTokenIssuers: Readonly<Record<string, string>> = {
  apple: 'https://appleid.apple.com',
  azure: '',
  facebook: 'https://www.facebook.com',
  google: 'https://accounts.google.com',
  kakao: 'https://kauth.kakao.com',
  keycloak: '',
}

const refusals: Readonly<Record<string, Refusal>> = {
  'POST /token': (body, query) => {
    const grantType = readQuery(query, 'grant_type')
    if (grantType === 'web3') return new AuthError('web3_provider_disabled')
    if (grantType === 'id_token') return refuseIdToken(body)
    if (grantType !== 'password') return undefined
    return refusePhone(body, { message: 'Phone logins are disabled', status: 422 })
  },
  'POST /otp': (body) => refusePhone(body, { message: 'Unsupported phone provider' }),
  'POST /resend': (body) => {
    const isForPhone = ['sms', 'phone_change'].includes(readText(body, 'type'))
    if (isForPhone) return new AuthError('phone_provider_disabled', { message: 'Phone logins are disabled' })
    return refusePhone(body, { message: 'Phone logins are disabled' })
  },
  'POST /verify': (body) => {
    const phone = readText(body, 'phone')
    if (phone === '') return undefined
    if (readText(body, 'email') !== '') return onlyOne()
    if (/^\+?[1-9]\d{1,14}$/.test(phone.replaceAll(' ', ''))) return new AuthError('otp_expired')
    return new AuthError('validation_failed', { message: 'Invalid phone number format (E.164 required)' })
  },
}

function refuseIdToken(body: JsonObject): AuthError {
  if (readText(body, 'id_token') === '') return new AuthError('validation_failed', { message: 'id_token required' })
  const [provider, issuer] = [readText(body, 'provider'), readText(body, 'issuer')]
  const known = Object.hasOwn(idTokenIssuers, provider)
    ? idTokenIssuers[provider]
    : Object.values(idTokenIssuers).find((each) => each !== '' && each === issuer)
  if (known === undefined) {
    const name = JSON.stringify(provider.slice(0, 50))
    return new AuthError('validation_failed', { message: `Custom OIDC provider ${name} not allowed` })
  }
  return new AuthError('provider_disabled', { message: `Provider (issuer ${JSON.stringify(known)}) is not enabled` })
}

function refusePhone(body: JsonObject, details: { message: string; status?: number }): AuthError | undefined {
  if (readText(body, 'phone') === '') return undefined
  return readText(body, 'email') === '' ? new AuthError('phone_provider_disabled', details) : onlyOne()
}

function onlyOne(): AuthError {
  return new AuthError('validation_failed', { message: 'Only an email address or phone number should be provided' })
}

/**
 * Refuses input of a disabled feature on routes that serve enabled ones.
 *
 * @param path relative to the auth server's mount point, without the query.
 * @throws AuthError
 */
export function refuseDisabledInput(request: FastifyRequest, path: string): void {
  const key = `${request.method} ${path}`
  const refusal = Object.hasOwn(refusals, key)
    ? refusals[key]?.(readJsonObject(request.body), request.query)
    : undefined
  if (refusal) throw refusal
}
