import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { v4 as uuidV4 } from 'uuid'
import { type AuthParts, spendRequest } from '../auth-parts.ts'
import { chooseRedirect, readClient } from '../auth-request.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { readQuery } from '../protocol/request-body.ts'
import { toCodeRedirect, toSessionRedirect } from '../protocol/sign-in-redirect.ts'
import { toAuthError } from '../protocol/to-auth-error.ts'
import { toSessionJson } from '../sessions/session.service.ts'
import { readCodeChallenge } from '../sign-in/pkce.ts'
import { ProviderError } from './fetch-json.ts'
import { createGoogleProvider, type GoogleProvider } from './google-provider.ts'
import { beginProviderFlow, resumeProviderFlow, signInProviderUser } from './oauth.service.ts'
import {
  describeProviderError,
  describeRefusal,
  type RedirectError,
  toProviderErrorRedirect,
} from './oauth-redirect.ts'
import { createStateCookie, hasStateCookie } from './state-cookie.ts'

// Parameters that a page may pass to Google through us. GoTrue passes on all of them.
const passedOn = ['access_type', 'hd', 'include_granted_scopes', 'login_hint', 'prompt']
const maxPassedOnLength = 320

/**
 * Sign-in with a provider: the redirect to it and the callback. A person sees every result, so each redirects to the
 * app.
 */
export function oauthRoutes(app: FastifyInstance, parts: AuthParts): void {
  const google = parts.settings.google ? createGoogleProvider(parts.settings.google) : undefined

  // Neither route answers HEAD: link scanners must not begin or use up a sign-in.
  app.get('/authorize', { exposeHeadRoute: false }, async (request, reply) => {
    const provider = requireProvider(google, readQuery(request.query, 'provider'))
    const challenge = readCodeChallenge(
      readQuery(request.query, 'code_challenge'),
      readQuery(request.query, 'code_challenge_method'),
    )
    const redirectTo = chooseRedirect(parts, request)
    return leadOn(request, reply, async () => {
      try {
        await spendRequest(parts.limits.token, readClient(request))
        const state = uuidV4()
        const url = await provider.getAuthorizationUrl(state, readPassedOn(request.query))
        const invitationToken = readInvitationToken(request.query)
        await beginProviderFlow(parts, { id: state, provider: 'google', challenge, redirectTo, invitationToken })
        // A code is useless without its verifier; a session works in any browser.
        if (!challenge) reply.header('set-cookie', createStateCookie(parts, state))
        return url
      } catch (thrown) {
        return toProviderErrorRedirect(redirectTo, explain(request, thrown))
      }
    })
  })

  app.route({
    method: ['GET', 'POST'],
    url: '/callback',
    exposeHeadRoute: false,
    config: { evenReadOnly: 'members sign in with Google; no account is created' },
    handler: (request, reply) => leadOn(request, reply, () => finishSignIn(request)),
  })

  async function finishSignIn(request: FastifyRequest): Promise<string> {
    let redirectTo = parts.settings.siteUrl
    try {
      const client = readClient(request)
      await spendRequest(parts.limits.token, client)
      const answer = readAnswer(request)
      const state = readQuery(answer, 'state')
      const flow = await resumeProviderFlow(parts, state)
      redirectTo = flow.redirectTo
      if (!flow.challenge && !hasStateCookie(parts, request, state)) {
        throw new AuthError('bad_oauth_state', { message: 'OAuth state belongs to another browser' })
      }
      const error = readQuery(answer, 'error')
      if (error !== '') return toProviderErrorRedirect(redirectTo, describeProviderError(error))
      const code = readQuery(answer, 'code')
      if (code === '') throw new AuthError('bad_oauth_callback', { message: 'OAuth authorization code missing' })
      const { profile, tokens } = await requireProvider(google, 'google').exchangeCode(state, code)
      const signedIn = await signInProviderUser(parts, { state, flow, provider: 'google', profile, tokens, client })
      return 'code' in signedIn
        ? toCodeRedirect(redirectTo, signedIn.code)
        : toSessionRedirect(redirectTo, await toSessionJson(parts, signedIn.grant))
    } catch (thrown) {
      return toProviderErrorRedirect(redirectTo, explain(request, thrown))
    }
  }

  function explain(request: FastifyRequest, thrown: unknown): RedirectError {
    if (thrown instanceof ProviderError) {
      request.log.warn({ err: thrown }, `sign-in with google failed: ${thrown.message}`)
      return thrown.isTemporary
        ? describeRefusal(new AuthError('unexpected_failure', { status: 503, message: 'The provider is unavailable' }))
        : describeRefusal(new AuthError('unexpected_failure', { message: 'The provider’s answer is not valid' }))
    }
    const error = toAuthError(thrown)
    if (error.status >= 500 && error.code !== 'read_only')
      parts.log.error({ err: thrown, requestId: request.id }, 'sign-in with google failed')
    return describeRefusal(error)
  }
}

/** @throws AuthError `validation_failed`, with GoTrue's text. */
function requireProvider(google: GoogleProvider | undefined, name: string): GoogleProvider {
  if (name !== 'google') {
    const shown = name.slice(0, 50).replaceAll(/[^\w -]/g, '')
    throw new AuthError('validation_failed', { message: `Unsupported provider: Provider ${shown} could not be found` })
  }
  if (!google) {
    throw new AuthError('validation_failed', { message: 'Unsupported provider: provider is not enabled' })
  }
  return google
}

async function leadOn(request: FastifyRequest, reply: FastifyReply, chooseTarget: () => Promise<string>) {
  // The referrer must not carry a code or a state to the next site.
  reply.header('referrer-policy', 'no-referrer')
  return reply.redirect(await chooseTarget(), request.method === 'GET' ? 302 : 303)
}

function readPassedOn(query: unknown): Record<string, string> {
  const entries = passedOn.map((name) => [name, readQuery(query, name)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== '' && value.length <= maxPassedOnLength))
}

function readInvitationToken(query: unknown): string | undefined {
  const token = readQuery(query, 'invite_token')
  return /^[\w-]{1,200}$/.test(token) ? token : undefined
}

/** The provider's answer: in the query or, if requested, in a form body. */
function readAnswer(request: FastifyRequest): unknown {
  if (!Buffer.isBuffer(request.body)) return request.query
  return Object.fromEntries(new URLSearchParams(request.body.toString('utf8')))
}
