import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AuthParts, spendRequest } from '../auth-parts.ts'
import { chooseRedirect, readClient, sendSession } from '../auth-request.ts'
import { spendNetwork } from '../mail-budgets.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { type JsonObject, readFlag, readJsonObject, readObject, readQuery, readText } from '../protocol/request-body.ts'
import { toCodeRedirect, toSessionRedirect } from '../protocol/sign-in-redirect.ts'
import { toAuthError } from '../protocol/to-auth-error.ts'
import { toSessionJson } from '../sessions/session.service.ts'
import { recordDevice } from '../sign-in/known-device.ts'
import { readCodeChallenge } from '../sign-in/pkce.ts'
import { renderLinkPage } from './link-page.ts'
import { isLinkType, type LinkType } from './link-type.ts'
import { pkcePrefix } from './one-time-secret.ts'
import { requestMagicLink, requestRecovery, resendConfirmation, resendEmailChange } from './request-link.service.ts'
import { halfDoneMessage, isScannedLink, type VerifiedLink, verifyLink, verifySecret } from './verify.service.ts'
import { toErrorRedirect, toMessageRedirect } from './verify-redirect.ts'

/** Emails with sign-in links and codes, and the verification of both. */
export function mailedLinksRoutes(app: FastifyInstance, parts: AuthParts): void {
  requestRoutes(app, parts)
  linkVerificationRoutes(app, parts)
  secretVerificationRoute(app, parts)
}

/** Requests for an email with a link and a code. */
function requestRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.post('/recover', async (request) => {
    await spendRequest(parts.limits.recover, readClient(request))
    await spendNetwork(parts, 'recover', readClient(request))
    await requestRecovery(parts, readLinkRequest(parts, request, readJsonObject(request.body)))
    return {}
  })

  app.post(
    '/otp',
    { config: { evenReadOnly: 'members get the link that signs in; no account is created' } },
    async (request) => {
      await spendRequest(parts.limits.otp, readClient(request))
      await spendNetwork(parts, 'otp', readClient(request))
      const body = readJsonObject(request.body)
      if (readText(body, 'email') === '' && readText(body, 'phone') !== '')
        throw new AuthError('phone_provider_disabled')
      await requestMagicLink(parts, {
        ...readLinkRequest(parts, request, body),
        createsUser: readFlag(body, 'create_user', true),
        metadata: readObject(body, 'data'),
      })
      return {}
    },
  )

  app.post('/resend', async (request) => {
    await spendRequest(parts.limits.resend, readClient(request))
    await spendNetwork(parts, 'resend', readClient(request))
    const body = readJsonObject(request.body)
    const type = readText(body, 'type')
    if (type === 'signup') await resendConfirmation(parts, readLinkRequest(parts, request, body))
    else if (type === 'email_change') await resendEmailChange(parts, readLinkRequest(parts, request, body))
    else throw new AuthError('validation_failed', { message: 'Missing one of these types: signup, email_change' })
    return {}
  })
}

/**
 * The link of an email. A person opens it, so every result redirects to the app. Scanners open it, too: only a browser's
 * navigation uses it up, and where the email provider's scanners navigate as well, only the button of a page does.
 */
function linkVerificationRoutes(app: FastifyInstance, parts: AuthParts): void {
  // Email scanners request links with HEAD, which must not use them up.
  app.head('/verify', async (_request, reply) => reply.code(204).send())
  app.get('/verify', { exposeHeadRoute: false }, async (request, reply) => {
    const link = readLink(request)
    const isNavigation = isBrowserNavigation(request.headers)
    if (isLinkType(link.type) && !isNavigation) return sendLinkPage(reply, request, link.type)
    return redirectVerified(parts, request, reply, link, async () => {
      if (isLinkType(link.type) && (await isScannedLink(parts, link.linkToken))) return link.type
      return undefined
    })
  })
  // The button of that page.
  app.post(
    '/verify/link',
    { config: { evenReadOnly: 'members sign in by a link; what would change an account is refused within' } },
    async (request, reply) => redirectVerified(parts, request, reply, readLink(request)),
  )
}

interface GivenLink {
  readonly linkToken: string
  readonly type: string
}

/** @throws AuthError `validation_failed` */
function readLink({ query }: FastifyRequest): GivenLink {
  const [linkToken, type] = [readQuery(query, 'token'), readQuery(query, 'type')]
  if (type === '') throw new AuthError('validation_failed', { message: 'Verify requires a verification type' })
  if (linkToken === '') throw new AuthError('validation_failed', { message: 'Verify requires a token or a token hash' })
  return { linkToken, type }
}

/** @param findPageType decides after the rate limit whether to show the page first, and of which type. */
async function redirectVerified(
  parts: AuthParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { linkToken, type }: GivenLink,
  findPageType: () => Promise<LinkType | undefined> = async () => undefined,
): Promise<FastifyReply> {
  const client = readClient(request)
  const redirectTo = chooseRedirect(parts, request)
  try {
    await spendRequest(parts.limits.verify, client)
    const pageType = await findPageType()
    if (pageType) return sendLinkPage(reply, request, pageType)
    const verified = await verifyLink(parts, { linkToken, type }, client)
    return reply.redirect(await toTarget(parts, verified, { redirectTo, linkToken, type }), 303)
  } catch (thrown) {
    const error = toAuthError(thrown)
    if (error.status >= 500 && error.code !== 'read_only') request.log.error({ err: thrown }, 'verification failed')
    return reply.redirect(toErrorRedirect(redirectTo, error, linkToken), 303)
  }
}

/** Whether a browser shows the answer as a page. Scripts, prefetches and programs without these headers do not. */
function isBrowserNavigation(headers: FastifyRequest['headers']): boolean {
  const isPrefetch = /prefetch|prerender|preview/i.test(`${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`)
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document' && !isPrefetch
}

function sendLinkPage(reply: FastifyReply, request: FastifyRequest, type: LinkType): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const query = request.url.slice(request.url.indexOf('?'))
  return (
    reply
      .type('text/html; charset=utf-8')
      // Without `form-action`: browsers apply it to the redirect after the button, too, which may lead to another origin.
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
      )
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex')
      .send(renderLinkPage(type, `/auth/v1/verify/link${query}`, nonce))
  )
}

/** The verification of a code, or of a link token from a request body. */
function secretVerificationRoute(app: FastifyInstance, parts: AuthParts): void {
  app.post(
    '/verify',
    { config: { evenReadOnly: 'members sign in by a code; what would change an account is refused within' } },
    async (request, reply) => {
      const client = readClient(request)
      await spendRequest(parts.limits.verify, client)
      const body = readJsonObject(request.body)
      const type = readText(body, 'type')
      if (type === '') throw new AuthError('validation_failed', { message: 'Verify requires a verification type' })
      const [linkToken, code, email] = [readText(body, 'token_hash'), readText(body, 'token'), readText(body, 'email')]
      if ((linkToken === '') === (code === '')) {
        throw new AuthError('validation_failed', { message: 'Verify requires either a token or a token hash' })
      }
      if (linkToken !== '' && email !== '') {
        throw new AuthError('validation_failed', { message: 'Only the token_hash and type should be provided' })
      }
      const grant = await verifySecret(parts, { type, ...(linkToken === '' ? { email, code } : { linkToken }) }, client)
      if (!grant) return { msg: halfDoneMessage, code: '200' }
      await recordDevice(parts, request, reply, grant.user.id)
      return sendSession(parts, reply, grant)
    },
  )
}

function readLinkRequest(parts: AuthParts, request: FastifyRequest, body: JsonObject) {
  return {
    email: readText(body, 'email'),
    challenge: readCodeChallenge(readText(body, 'code_challenge'), readText(body, 'code_challenge_method')),
    redirectTo: chooseRedirect(parts, request),
    client: readClient(request),
  }
}

/** The redirect of a used link. @throws AuthError when the sign-in after the confirmation was refused. */
async function toTarget(
  parts: AuthParts,
  verified: VerifiedLink,
  { redirectTo, linkToken, type }: { redirectTo: string; linkToken: string; type: string },
): Promise<string> {
  switch (verified.kind) {
    case 'code':
      return toCodeRedirect(redirectTo, verified.code)
    case 'session':
      return toSessionRedirect(redirectTo, await toSessionJson(parts, verified.grant), type)
    case 'half_done':
      return toMessageRedirect(redirectTo, halfDoneMessage, linkToken.startsWith(pkcePrefix))
    case 'refused':
      throw verified.error
  }
}
