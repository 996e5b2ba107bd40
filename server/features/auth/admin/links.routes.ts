import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readEmail } from '../accounts/account-data.ts'
import { checkNewPassword, hashPassword } from '../accounts/password.ts'
import type { AuthParts } from '../auth-parts.ts'
import { chooseRedirect, readClient } from '../auth-request.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { type JsonObject, readJsonObject, readObject, readText } from '../protocol/request-body.ts'
import { generateLink, invite, type RequestedLink } from './links.service.ts'

/** Sign-in links: emailed as an invitation, or returned to a program that sends its own emails. */
export function adminLinkRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.post('/invite', async (request) => {
    const body = readJsonObject(request.body)
    return invite(parts, readObject(body, 'data'), {
      email: readEmail(readText(body, 'email')),
      redirectTo: chooseRedirect(parts, request),
      client: readClient(request),
    })
  })

  app.post('/admin/generate_link', async (request) => {
    const body = readJsonObject(request.body)
    const email = readEmail(readText(body, 'email'))
    const wanted = await readWantedLink(body, parts.settings.passwordMinLength)
    return generateLink(parts, wanted, {
      email,
      redirectTo: readRedirect(parts, request, body),
      client: readClient(request),
    })
  })
}

async function readWantedLink(body: JsonObject, minPasswordLength: number): Promise<RequestedLink> {
  const type = readText(body, 'type')
  switch (type) {
    case 'signup': {
      const password = readText(body, 'password')
      checkNewPassword(password, minPasswordLength)
      return { type, metadata: readObject(body, 'data'), passwordHash: await hashPassword(password) }
    }
    case 'invite':
    case 'magiclink':
      return { type, metadata: readObject(body, 'data') }
    case 'recovery':
      return { type }
    case 'email_change_new':
    case 'email_change_current':
      return { type, newEmail: readEmail(readText(body, 'new_email')) }
    default:
      throw new AuthError('validation_failed', {
        message: `Invalid email action link type requested: ${type.slice(0, 50)}`,
      })
  }
}

// This route also accepts the address in its body.
function readRedirect(parts: AuthParts, request: FastifyRequest, body: JsonObject): string {
  const wanted = readText(body, 'redirect_to')
  return wanted === '' ? chooseRedirect(parts, request) : parts.redirects.choose(wanted)
}
