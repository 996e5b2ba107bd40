import type { AuthErrorCode } from '../protocol/auth-error.ts'

/** A route of GoTrue that this server refuses, with GoTrue's texts. */
export interface DisabledRoute {
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  readonly path: string
  /** The callers that get this refusal; all others are refused first. */
  readonly audience: 'anyone' | 'signed in' | 'service role'
  readonly code: AuthErrorCode
  readonly message?: string
}

const oauthServer = { code: 'feature_disabled', message: 'OAuth server is disabled' } as const
const customProviders = { code: 'feature_disabled', message: 'Custom OAuth providers are disabled' } as const
const recoveryCodes = { code: 'feature_disabled', message: 'Recovery codes are disabled' } as const

/**
 * Disabled features that client libraries may call: single sign-on, passkeys, second factors, acting as an OAuth
 * provider.
 */
export const disabledRoutes: readonly DisabledRoute[] = [
  { methods: ['POST'], path: '/sso', audience: 'anyone', code: 'saml_provider_disabled' },
  { methods: ['GET'], path: '/sso/saml/metadata', audience: 'anyone', code: 'saml_provider_disabled' },
  { methods: ['POST'], path: '/sso/saml/acs', audience: 'anyone', code: 'saml_provider_disabled' },
  {
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    path: '/admin/sso/*',
    audience: 'service role',
    code: 'saml_provider_disabled',
  },

  { methods: ['GET'], path: '/passkeys', audience: 'anyone', code: 'passkey_disabled' },
  { methods: ['POST', 'PATCH', 'DELETE'], path: '/passkeys/*', audience: 'anyone', code: 'passkey_disabled' },
  {
    methods: ['GET', 'DELETE'],
    path: '/admin/users/:userId/passkeys',
    audience: 'service role',
    code: 'passkey_disabled',
  },
  { methods: ['DELETE'], path: '/admin/users/:userId/passkeys/*', audience: 'service role', code: 'passkey_disabled' },

  { methods: ['GET', 'POST', 'DELETE'], path: '/factors/recovery-codes', audience: 'signed in', ...recoveryCodes },
  { methods: ['POST'], path: '/factors/recovery-codes/*', audience: 'signed in', ...recoveryCodes },
  { methods: ['DELETE'], path: '/factors/:factorId', audience: 'signed in', code: 'mfa_factor_not_found' },
  { methods: ['POST'], path: '/factors/:factorId/challenge', audience: 'signed in', code: 'mfa_factor_not_found' },
  { methods: ['POST'], path: '/factors/:factorId/verify', audience: 'signed in', code: 'mfa_factor_not_found' },
  {
    methods: ['PUT', 'DELETE'],
    path: '/admin/users/:userId/factors/:factorId',
    audience: 'service role',
    code: 'mfa_factor_not_found',
  },

  { methods: ['GET', 'POST'], path: '/admin/oauth/clients', audience: 'service role', ...oauthServer },
  {
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    path: '/admin/oauth/clients/*',
    audience: 'service role',
    ...oauthServer,
  },
  { methods: ['GET', 'POST'], path: '/oauth/*', audience: 'anyone', ...oauthServer },
  { methods: ['GET', 'DELETE'], path: '/user/oauth/grants', audience: 'signed in', ...oauthServer },
  { methods: ['GET', 'POST'], path: '/admin/custom-providers', audience: 'service role', ...customProviders },
  {
    methods: ['GET', 'PUT', 'DELETE'],
    path: '/admin/custom-providers/*',
    audience: 'service role',
    ...customProviders,
  },
]
