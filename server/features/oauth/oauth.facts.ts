import { type Facts, gateOf, inOrganization, type OwnerCall, type Tenant } from '#server/testing/facts.ts'

const redirectUri = 'http://127.0.0.1/callback'
const challenge = 'A'.repeat(43)
const request = (clientId: string) => ({
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: 'code',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  scope: 'read',
  state: 'made',
})

/** An app that is registered wherever tests send bodies. */
export const sampleClientId = '01a1fbfe-0000-7000-8000-0000000000aa'

const insertGrant = ({ organizationId, picturedId }: Tenant, clientId: string) =>
  `(organization_id, user_id, client_id, client_name, redirect_host, scopes, expires_at)
   values ('${organizationId}', '${picturedId}', ${clientId}, 'made', 'localhost', '{read}', now() + interval '1 day')`
const anyClient = '(select id from app.oauth_clients limit 1)'
const anyGrant = (organizationId: string) =>
  `(select id from public.oauth_grants where organization_id = '${organizationId}' limit 1)`
const anyHash = `sha256(convert_to(gen_random_uuid()::text, 'UTF8'))`
const noId = `'01a1fbfe-0000-7000-8000-000000000000'`

/** An app that the owner has connected. Addresses outside the organisation's path are reached from it. */
async function connect(call: OwnerCall): Promise<{ id: string }> {
  // Our own server's answers, by their contracts.
  const { id: organizationId } = (await (await call('')).json()) as { id: string }
  const registration = { client_name: 'Agent', redirect_uris: [redirectUri] }
  const registered = await call('/../../../../oauth/register', { body: registration })
  // As above.
  const { client_id } = (await registered.json()) as { client_id: string }
  const body = { request: request(client_id), organizationId, scopes: ['read'] }
  await call('/../../account/apps', { body })
  // As above.
  const { items } = (await (await call('/../../account/apps')).json()) as { items: { id: string }[] }
  return { id: items[0]?.id ?? '' }
}

export const facts: Facts = {
  migrations: {
    '0034_oauth.sql': '549a0311b1d8bb5cbc6e8623da0a0f676db7dd3fecc1be15cb1014deec54a3da',
  },
  tables: {
    'app.oauth_clients': {
      rights: ['----', '----', '----', '----', 'si-d'],
      make: () =>
        `insert into app.oauth_clients (id, name, redirect_uris)
         values ('${sampleClientId}', 'made', '{${redirectUri}}') on conflict do nothing`,
      row: () => `name = 'made'`,
      change: `name = 'changed'`,
      add: () => `(name, redirect_uris) values ('made', '{${redirectUri}}')`,
    },
    'public.oauth_grants': {
      rights: ['----', '...-', '...-', '...-', 's-ud'],
      changeable: ['revoked_at'],
      make: (tenant) => `insert into public.oauth_grants ${insertGrant(tenant, anyClient)}`,
      row: inOrganization,
      change: 'revoked_at = now()',
      add: (tenant) => insertGrant(tenant, noId),
    },
    'app.oauth_codes': {
      rights: ['----', '-.--', '-.--', '-.--', 's-ud'],
      make: ({ organizationId }) =>
        `insert into app.oauth_codes (organization_id, hash, grant_id, redirect_uri, code_challenge, expires_at)
         values ('${organizationId}', ${anyHash}, ${anyGrant(organizationId)}, '${redirectUri}', '${challenge}', now())`,
      row: inOrganization,
      change: 'used_at = now()',
      add: ({ organizationId }) =>
        `(organization_id, hash, grant_id, redirect_uri, code_challenge, expires_at)
         values ('${organizationId}', ${anyHash}, ${noId}, '${redirectUri}', '${challenge}', now())`,
    },
    'app.oauth_tokens': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: ({ organizationId }) =>
        `insert into app.oauth_tokens (organization_id, hash, grant_id, kind, expires_at)
         values ('${organizationId}', ${anyHash}, ${anyGrant(organizationId)}, 'access', now())`,
      row: inOrganization,
      change: 'used_at = now()',
      add: ({ organizationId }) =>
        `(organization_id, hash, grant_id, kind, expires_at)
         values ('${organizationId}', ${anyHash}, ${anyGrant(organizationId)}, 'access', now())`,
    },
  },
  functions: {
    'app.find_oauth_token(bytea)': ['authenticator'],
    'app.name_agent(text,text)': ['authenticated', 'earshot_api_key', 'service_role'],
    'app.origin_agent()': ['authenticated', 'earshot_api_key', 'service_role'],
  },
  withoutCanary: {
    'app.oauth_codes.code_challenge': 'Is a hash.',
    'public.oauth_grants.scopes': 'Is a list of scopes.',
  },
  ids: { appId: { table: 'public.oauth_grants' } },
  gates: {
    ...gateOf('nothing', [
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-protected-resource',
      'GET /.well-known/oauth-protected-resource/mcp',
      'POST /oauth/register',
    ]),
    ...gateOf('one-time secret', ['POST /oauth/token', 'POST /oauth/revoke']),
  },
  routes: {
    describeConnection: { body: () => request(sampleClientId) },
    connectApp: {
      body: ({ organizationId }) => ({
        request: request(sampleClientId),
        organizationId,
        scopes: ['read', 'write'],
      }),
    },
  },
  events: {
    'connected_app.connected': async (call) => [(await connect(call)).id],
    'connected_app.disconnected': async (call) => {
      const { id } = await connect(call)
      await call(`/../../account/apps/${id}`, { method: 'DELETE' })
      return [id]
    },
  },
}
