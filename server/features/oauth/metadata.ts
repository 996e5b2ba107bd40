import { keyScopes } from '#contract/key-scope.ts'

/** RFC 9728: what `/mcp` is, and who gives tokens for it. */
export function describeResource(appUrl: string) {
  return {
    resource: `${appUrl}/mcp`,
    authorization_servers: [appUrl],
    scopes_supported: keyScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Earshot',
  }
}

/** RFC 8414, with RFC 9207 and what MCP asks for. */
export function describeServer(appUrl: string) {
  return {
    issuer: appUrl,
    authorization_endpoint: `${appUrl}/oauth/authorize`,
    token_endpoint: `${appUrl}/oauth/token`,
    registration_endpoint: `${appUrl}/oauth/register`,
    revocation_endpoint: `${appUrl}/oauth/revoke`,
    scopes_supported: keyScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}
