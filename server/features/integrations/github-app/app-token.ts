import { createHash, sign } from 'node:crypto'
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { type GithubAccess, requestGithub } from './request-github.ts'

/* How Earshot signs in to GitHub as an App: https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app */

/** An App's own credentials. */
export interface AppCredentials {
  readonly id: number
  /** Private key in PEM. */
  readonly key: string
}

/** Where an App is installed: an account, with all or some of its repositories. */
export interface Installation {
  readonly id: number
  readonly suspended_at?: string | null
}

interface CachedToken {
  readonly token: string
  readonly endsMs: number
}

/** Clocks differ: GitHub advises to back-date by a minute, and takes no token that ends in more than ten. */
const backDatedSeconds = 60
const validSeconds = 300
/** A token that ends sooner is replaced. */
const spareMs = 300_000
const maxTokens = 1_000

/** Of the process: they end after an hour, so that nothing need be stored. */
const tokens = new Map<string, CachedToken>()

/** The header by which an App proves who it is. @throws DeliveryFailure for a key that can't be used. */
export function authorizeApp({ id, key }: AppCredentials): string {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const claims = { iat: nowSeconds - backDatedSeconds, exp: nowSeconds + validSeconds, iss: String(id) }
  const content = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) => toBase64Url(JSON.stringify(part))).join('.')
  try {
    return `Bearer ${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`
  } catch {
    throw new DeliveryFailure('The private key of the GitHub App can’t be used. Connect GitHub again.', {
      kind: 'gone',
    })
  }
}

const toBase64Url = (text: string) => Buffer.from(text).toString('base64url')

/** The header of requests about a repository, by a token of the installation there. @throws DeliveryFailure. */
export async function authorizeForRepository(
  access: GithubAccess,
  app: AppCredentials,
  repository: string,
): Promise<string> {
  const place = nameToken(access, app, repository)
  const known = tokens.get(place)
  if (known && known.endsMs - Date.now() > spareMs) return `Bearer ${known.token}`
  const installation = await findInstallation(access, app, repository)
  const made = await createToken(access, app, installation)
  for (const [other, { endsMs }] of tokens) if (endsMs < Date.now() || tokens.size >= maxTokens) tokens.delete(other)
  tokens.set(place, made)
  return `Bearer ${made.token}`
}

/** After a refusal: the next request asks GitHub again whether the App is installed. */
export function forgetToken(access: GithubAccess, app: AppCredentials, repository: string): void {
  tokens.delete(nameToken(access, app, repository))
}

/** Who has no key gets no token of others who have it. */
function nameToken({ apiUrl }: GithubAccess, { id, key }: AppCredentials, repository: string): string {
  return createHash('sha256')
    .update(JSON.stringify([apiUrl, id, key, repository]))
    .digest('base64url')
}

/** @throws DeliveryFailure when the App is not installed there, or suspended. No `status`: those are of what was asked for. */
async function findInstallation(access: GithubAccess, app: AppCredentials, repository: string): Promise<Installation> {
  const found = await requestGithub<Installation>(access, `/repos/${repository}/installation`, {
    authorization: authorizeApp(app),
    judge: (answer) =>
      judgeApp(answer) ??
      (answer.status === 404
        ? new DeliveryFailure(`The GitHub App is not installed in ${repository}. Install it there on GitHub.`)
        : undefined),
  })
  if (found.suspended_at) throw new DeliveryFailure('The GitHub App is suspended. Unsuspend it on GitHub.')
  return found
}

/** A token of an installation, valid for an hour. @throws DeliveryFailure. */
export async function createToken(
  access: GithubAccess,
  app: AppCredentials,
  { id }: Installation,
): Promise<CachedToken> {
  const { token, expires_at: end } = await requestGithub<{ token: string; expires_at: string }>(
    access,
    `/app/installations/${id}/access_tokens`,
    { method: 'POST', authorization: authorizeApp(app), judge: judgeApp, hidesAnswer: true },
  )
  return { token, endsMs: Date.parse(end) }
}

/** A refusal of the App itself, as opposed to one of its installations. */
export function judgeApp({ status }: OutboundAnswer): DeliveryFailure | undefined {
  return status === 401
    ? new DeliveryFailure(
        'GitHub does not accept the App. If it was deleted, connect GitHub again. Else check this server’s clock.',
      )
    : undefined
}
