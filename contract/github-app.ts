import Type, { type Static } from 'typebox'
import { Integration } from './integrations.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/*
 * GitHub is connected by an App of the customer's own: GitHub creates it from a manifest, the owner installs it, and selects a
 * repository. Each App belongs to one integration.
 */

/** An App that GitHub has created, and that no integration uses yet. */
export const GithubApp = Type.Object({
  id: Uuid,
  name: Type.String(),
  /** Where the owner installs it on GitHub. */
  installUrl: Type.String(),
  /** Until when it can be connected. */
  expiresAt: Timestamp,
})
export type GithubApp = Static<typeof GithubApp>

export const GithubRepository = Type.Object({
  /** Owner and name. */
  name: Type.String(),
  /** False: issues are switched off. */
  hasIssues: Type.Boolean(),
})
export type GithubRepository = Static<typeof GithubRepository>

const path = '/api/v1/organizations/{organizationId}/github-apps'
const GithubAppParams = Type.Object({ organizationId: Uuid, githubAppId: Uuid })
const manage = { kind: 'organization', permission: 'manage_integrations' } as const

export const startGithubApp = route({
  operationId: 'startGithubApp',
  method: 'POST',
  path,
  summary: 'Begin to connect GitHub by an App; the address in the answer leads to GitHub',
  tag: 'integrations',
  params: OrganizationParams,
  body: Type.Object(
    {
      /** The organisation on GitHub that owns the App. Default: the person. */
      account: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,38}$' })),
      /** Of a GitHub Enterprise Server. Default: github.com. */
      webUrl: Type.Optional(line({ minLength: 1, maxLength: 500 })),
    },
    { additionalProperties: false },
  ),
  replies: {
    201: Type.Object({
      id: Uuid,
      /** A page that sends the browser to GitHub. It works for an hour, until GitHub has created the App. */
      continueTo: Type.String(),
    }),
  },
  errors: [],
  access: manage,
  impersonation: 'refused',
  rate: 'write',
})

export const listGithubApps = route({
  operationId: 'listGithubApps',
  method: 'GET',
  path,
  summary: 'List the GitHub Apps that were created and are not connected yet',
  tag: 'integrations',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(GithubApp) }) },
  errors: [],
  access: manage,
  rate: 'read',
})

export const createGithubApp = route({
  operationId: 'createGithubApp',
  method: 'POST',
  path: `${path}/{githubAppId}/credentials`,
  summary: 'Exchange the code that GitHub returned for the credentials of the App, which are kept',
  tag: 'integrations',
  params: GithubAppParams,
  body: Type.Object(
    {
      code: Type.String({ pattern: '^[A-Za-z0-9_-]{1,200}$' }),
      state: Type.String({ minLength: 1, maxLength: 200 }),
    },
    { additionalProperties: false },
  ),
  replies: { 200: GithubApp },
  errors: ['github_app_not_found', 'github_app_state_invalid', 'integration_refused'],
  access: manage,
  impersonation: 'refused',
  rate: 'write',
})

export const listGithubRepositories = route({
  operationId: 'listGithubRepositories',
  method: 'GET',
  path: `${path}/{githubAppId}/repositories`,
  summary: 'List the repositories in which a GitHub App is installed',
  tag: 'integrations',
  params: GithubAppParams,
  replies: {
    200: Type.Object({
      isInstalled: Type.Boolean(),
      items: Type.Array(GithubRepository),
      /** Whether there are more. */
      isCut: Type.Boolean(),
    }),
  },
  errors: ['github_app_not_found', 'integration_unreadable', 'integration_refused'],
  access: manage,
  rate: 'write',
})

export const connectGithubApp = route({
  operationId: 'connectGithubApp',
  method: 'POST',
  path: `${path}/{githubAppId}/integration`,
  summary: 'Connect a repository in which a GitHub App is installed',
  tag: 'integrations',
  params: GithubAppParams,
  body: Type.Object(
    {
      repository: Type.String({ pattern: '^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$', maxLength: 200 }),
      /** For new issues, separated by commas. */
      labels: Type.Optional(line({ maxLength: 500 })),
      /** Default: false. */
      createAutomatically: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  replies: { 201: Integration },
  errors: ['github_app_not_found', 'integration_unreadable', 'integration_refused', 'too_many_integrations'],
  access: manage,
  impersonation: 'refused',
  rate: 'write',
})
