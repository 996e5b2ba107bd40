import { createHash, randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { v7 as uuidV7 } from 'uuid'
import type { GithubApp, GithubRepository } from '#contract/github-app.ts'
import type { CreatedIntegration } from '#contract/integrations.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Outbound, OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { SealError, type Seals } from '#server/platform/secret/seals.ts'
import { createServiceClient } from '../delivery/service-client.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import type { Integrations } from '../integrations.service.ts'
import type { AppCredentials } from './app-token.ts'
import {
  type CreatedApp,
  deleteApp,
  findCreated,
  findStarted,
  hasApp,
  insertApp,
  listCreated,
  readCredentials,
  spendState,
  storeCredentials,
} from './github-app.queries.ts'
import { listRepositories } from './list-repositories.ts'
import { githubWebUrl, type NewApp, toApiUrl, toRegistrationUrl, writeManifest } from './manifest.ts'
import { type GithubAccess, requestGithub } from './request-github.ts'

export interface GithubAppPath {
  readonly organizationId: string
  readonly githubAppId: string
}

/** Connects GitHub by an App of the customer's own. */
export interface GithubApps {
  /** @returns the App's id, and the page that leads to GitHub. @throws ProductError `validation_failed` for an address. */
  start(
    actor: Actor,
    organizationId: string,
    wanted: { account?: string; webUrl?: string },
  ): Promise<{ id: string; continueTo: string }>
  /** Where the manifest goes, as JSON. Undefined: the state was used, or has expired. */
  findManifest(state: string): Promise<{ action: string; manifest: string } | undefined>
  list(actor: Actor, organizationId: string): Promise<GithubApp[]>
  /** @throws ProductError `github_app_not_found`, `github_app_state_invalid`, `integration_refused`. */
  exchange(actor: Actor, path: GithubAppPath, returned: { code: string; state: string }): Promise<GithubApp>
  /** @throws ProductError `github_app_not_found`, `integration_unreadable`, `integration_refused`. */
  listRepositories(
    actor: Actor,
    path: GithubAppPath,
  ): Promise<{ isInstalled: boolean; items: GithubRepository[]; isCut: boolean }>
  /** @throws ProductError as `listRepositories`, and `too_many_integrations`. */
  connect(
    actor: Actor,
    path: GithubAppPath,
    wanted: { repository: string; labels?: string; createAutomatically?: boolean },
  ): Promise<CreatedIntegration>
}

export interface GithubAppParts {
  readonly database: Database
  readonly outbound: Outbound
  readonly seals: Seals
  readonly integrations: Pick<Integrations, 'create'>
  readonly appUrl: string
}

/** As long as GitHub keeps the code. */
const stateMs = 3_600_000
/** For installing it, which an owner of the GitHub organisation may have to approve. */
const createdMs = 7 * 86_400_000

/** What GitHub answers to the code. */
const Conversion = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  name: Type.String({ minLength: 1 }),
  html_url: Type.String(),
  pem: Type.String({ minLength: 1, maxLength: 10_000 }),
  webhook_secret: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 500 }), Type.Null()])),
})

interface StoredCredentials extends AppCredentials {
  readonly hookSecret: string | null
}

/** 256 random bits. */
const statePattern = /^[\w-]{43}$/
const hashState = (state: string) => createHash('sha256').update(state).digest()
const contextOf = ({ organizationId, githubAppId }: GithubAppPath) => `GitHub App ${organizationId} ${githubAppId}`
const toPlace = ({ organizationId, githubAppId: id }: GithubAppPath) => ({ organizationId, id })

export function createGithubApps(parts: GithubAppParts): GithubApps {
  const { database, outbound, integrations, appUrl } = parts
  const access = (webUrl: string): GithubAccess => ({
    apiUrl: toApiUrl(webUrl),
    send: createServiceClient(outbound, []).send,
  })
  return {
    start: async (actor, organizationId, { account = null, webUrl: given }) => {
      const webUrl = given === undefined ? githubWebUrl : await checkWebUrl(outbound, given)
      const id = uuidV7()
      const state = randomBytes(32).toString('base64url')
      const { userId, sessionId } = actor
      const expiresAt = new Date(Date.now() + stateMs)
      const app = { organizationId, id, userId, sessionId, stateHash: hashState(state), webUrl, account, expiresAt }
      await database.withTenant(actor, (tx) => insertApp(tx, app))
      return { id, continueTo: `${appUrl}/api/v1/github-apps/${state}` }
    },

    findManifest: async (state) => {
      if (!statePattern.test(state)) return undefined
      const started = await database.asSystem('the state names the App before anyone is known', (tx) =>
        findStarted(tx, hashState(state)),
      )
      if (!started) return undefined
      const app: NewApp = { ...started, appUrl }
      return { action: toRegistrationUrl(app, state), manifest: JSON.stringify(writeManifest(app)) }
    },

    list: (actor, organizationId) =>
      database.withTenant(actor, async (tx) => (await listCreated(tx, organizationId)).map(toGithubApp)),

    exchange: (actor, path, returned) => exchange(parts, access, actor, path, returned),

    listRepositories: async (actor, path) => {
      const { webUrl, credentials } = await getCreated(parts, actor, path)
      return refuseFailure(() => listRepositories(access(webUrl), credentials))
    },

    connect: async (actor, path, { repository, labels, createAutomatically }) => {
      const { webUrl, credentials } = await getCreated(parts, actor, path)
      const { id, key, hookSecret } = credentials
      const config = {
        repository,
        app: { id, key },
        ...(webUrl !== githubWebUrl && { apiUrl: toApiUrl(webUrl) }),
        ...(labels !== undefined && { labels }),
        ...(createAutomatically !== undefined && { createAutomatically }),
      }
      return integrations.create(
        actor,
        path.organizationId,
        { type: 'github', config },
        {
          id: path.githubAppId,
          hookSecret,
          claim: async (tx) => {
            if (!(await deleteApp(tx, toPlace(path)))) throw new ProductError('github_app_not_found')
          },
        },
      )
    },
  }
}

async function exchange(
  { database, seals }: GithubAppParts,
  access: (webUrl: string) => GithubAccess,
  actor: Actor,
  path: GithubAppPath,
  { code, state }: { code: string; state: string },
): Promise<GithubApp> {
  const { userId, sessionId } = actor
  const webUrl = await database.withTenant(actor, async (tx) => {
    if (!(await hasApp(tx, toPlace(path)))) throw new ProductError('github_app_not_found')
    return spendState(tx, { ...toPlace(path), stateHash: hashState(state), userId, sessionId })
  })
  if (webUrl === undefined) throw new ProductError('github_app_state_invalid')
  const conversion = await refuseFailure(() => convert(access(webUrl), code))
  const { id, pem: key, webhook_secret: hookSecret = null } = conversion
  const stored: StoredCredentials = { id, key, hookSecret }
  const expiresAt = new Date(Date.now() + createdMs)
  const app = { name: conversion.name, pageUrl: conversion.html_url, expiresAt }
  const secrets = seals.seal(JSON.stringify(stored), contextOf(path))
  await database.withTenant(actor, (tx) => storeCredentials(tx, { ...toPlace(path), ...app, secrets }))
  return toGithubApp({ id: path.githubAppId, webUrl, ...app })
}

async function convert(access: GithubAccess, code: string): Promise<Static<typeof Conversion>> {
  const judge = ({ status }: OutboundAnswer) =>
    status === 404 ? new DeliveryFailure('GitHub no longer knows this code. Start again.') : undefined
  const options = { method: 'POST', judge, hidesAnswer: true } as const
  const answer = await requestGithub<unknown>(access, `/app-manifests/${code}/conversions`, options)
  if (!Check(Conversion, answer)) throw new DeliveryFailure('GitHub’s answer is not understood. Start again.')
  return answer
}

/** @throws ProductError `github_app_not_found`, `integration_unreadable`. */
async function getCreated(
  { database, seals }: GithubAppParts,
  actor: Actor,
  path: GithubAppPath,
): Promise<{ webUrl: string; credentials: StoredCredentials }> {
  const created = await database.withTenant(actor, (tx) => findCreated(tx, toPlace(path)))
  if (!created) throw new ProductError('github_app_not_found')
  const sealed = await database.asSystem('an owner connects an App; its credentials are for the system alone', (tx) =>
    readCredentials(tx, toPlace(path)),
  )
  if (sealed === null) throw new ProductError('github_app_not_found')
  try {
    // Written by `exchange` above.
    const credentials = JSON.parse(seals.open(sealed, contextOf(path))) as StoredCredentials
    return { webUrl: created.webUrl, credentials }
  } catch (error) {
    if (error instanceof SealError) throw new ProductError('integration_unreadable')
    throw error
  }
}

async function refuseFailure<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof DeliveryFailure) throw new ProductError('integration_refused', { detail: error.message })
    throw error
  }
}

/** The origin of an Enterprise Server. @throws ProductError `validation_failed`. */
async function checkWebUrl(outbound: Outbound, given: string): Promise<string> {
  if (!/^https?:\/\/[^/]/i.test(given) || !URL.canParse(given)) throw invalid('body.webUrl', 'must be a full address')
  const refusal = await outbound.checkAddress(given)
  if (refusal !== undefined) throw invalid('body.webUrl', refusal)
  return new URL(given).origin
}

/** The page is followed by the owner's browser: it must be GitHub's. */
function toGithubApp({ id, name, pageUrl, webUrl, expiresAt }: CreatedApp): GithubApp {
  const isTheirs = URL.canParse(pageUrl) && new URL(pageUrl).origin === webUrl
  const installUrl = isTheirs ? `${pageUrl.replace(/\/$/, '')}/installations/new` : `${webUrl}/settings/apps`
  return { id, name, installUrl, expiresAt: expiresAt.toISOString() }
}
