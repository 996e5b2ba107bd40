import type { Config } from '#server/config.ts'

export const healthJson = {
  version: 'v2.196.0',
  name: 'GoTrue',
  description: 'GoTrue is a user registration and authentication API',
} as const

// All provider names that a client may look for, even if this server never offers them.
const providers = [
  'anonymous_users',
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'snapchat',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'keycloak',
  'kakao',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'spotify',
  'slack',
  'slack_oidc',
  'workos',
  'twitch',
  'twitter',
  'x',
  'email',
  'phone',
  'zoom',
]

/** The public sign-in settings. */
export function describeSettings(settings: Config['auth']): Record<string, unknown> {
  const offered = new Set(['email', ...(settings.google ? ['google'] : [])])
  return {
    external: Object.fromEntries(providers.map((provider) => [provider, offered.has(provider)])),
    disable_signup: settings.disableSignup,
    mailer_autoconfirm: settings.mailerAutoconfirm,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    saml_private_key_next_configured: false,
    passkeys_enabled: false,
  }
}
