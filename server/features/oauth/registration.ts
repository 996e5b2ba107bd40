import { showInvisible } from '#server/platform/text/show-invisible.ts'
import { OAuthError } from './oauth-error.ts'
import { findRedirectProblem } from './redirect-uri.ts'

/** What of an app's registration is kept (RFC 7591, section 2). */
export interface Registration {
  readonly name: string
  readonly redirectUris: readonly string[]
}

const maxRedirects = 10
const maxNameLength = 100

/** @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`. */
export function readRegistration(body: unknown): Registration {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError('invalid_client_metadata', 'Send the metadata as a JSON object.')
  // Any JSON: each member is checked below.
  const metadata = body as Record<string, unknown>
  const { redirect_uris: uris, client_name: name, grant_types: grants, response_types: responses } = metadata
  if (!isTextList(uris) || uris.length === 0 || uris.length > maxRedirects)
    throw new OAuthError('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${maxRedirects} addresses.`)
  for (const uri of uris) {
    const problem = findRedirectProblem(uri)
    if (problem !== undefined) throw new OAuthError('invalid_redirect_uri', `A redirect address ${problem}.`)
  }
  if (grants !== undefined && !(isTextList(grants) && grants.includes('authorization_code')))
    throw new OAuthError('invalid_client_metadata', 'grant_types must include authorization_code.')
  if (responses !== undefined && !(isTextList(responses) && responses.includes('code')))
    throw new OAuthError('invalid_client_metadata', 'response_types must include code.')
  return { name: cleanName(name), redirectUris: [...new Set(uris)] }
}

/** People read it on the consent screen: on one line, with nothing invisible. */
function cleanName(name: unknown): string {
  if (name === undefined || name === null) return 'Unnamed app'
  if (typeof name !== 'string') throw new OAuthError('invalid_client_metadata', 'client_name must be text.')
  const shown = showInvisible(name.replaceAll(/\s+/g, ' ').trim())
  return [...shown].slice(0, maxNameLength).join('') || 'Unnamed app'
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
