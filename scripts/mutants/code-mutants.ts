import { inCode, type Mutant } from './mutant.ts'

const impersonated = ['server/features/impersonations/impersonated-routes.test.ts']
const impersonations = ['server/features/impersonations/impersonations.test.ts']
const access = ['server/access.test.ts']
const guard = 'server/platform/http/guard.ts'
const keyGuard = 'server/platform/http/key-guard.ts'
const accessToken = 'server/features/auth/keys/access-token.ts'
const database = 'server/platform/database/database.ts'
const ownItems = ['server/features/widget/own-items.test.ts']
const eventStream = ['server/features/feedback/feedback-feed.test.ts']
const exports = ['server/features/feedback/export/exports.test.ts']

/** Guards, signatures, limits and conditions of the server that are missing. */
export const codeMutants: readonly Mutant[] = [
  {
    name: 'the guard lets banned accounts in',
    change: inCode(guard, "if (standing.isBanned) throw new ProductError('user_banned')", ''),
    tests: access,
  },
  {
    name: 'the guard lets unverified accounts in',
    change: inCode(guard, "if (!standing.isVerified) throw new ProductError('email_not_verified')", ''),
    tests: access,
  },
  {
    name: 'the guard does not ask for the permission',
    change: inCode(guard, 'if (!isAllowed(role, access.permission, isSuperadmin)) throw', 'if (false) throw'),
    tests: access,
  },
  {
    name: 'the guard lets members of other organisations in',
    change: inCode(
      guard,
      'if (!standing.organizationExists || (role === undefined && !isSuperadmin))',
      'if (!standing.organizationExists)',
    ),
    tests: access,
  },
  {
    name: 'a foreign organisation answers otherwise than one that does not exist',
    change: inCode(
      guard,
      "throw new ProductError('organization_not_found')\n  if (standing.organizationIsClosed",
      "throw new ProductError(standing.organizationExists ? 'permission_denied' : 'organization_not_found')\n  if (standing.organizationIsClosed",
    ),
    tests: access,
  },
  {
    name: 'the guard lets members into a closed organisation',
    change: inCode(
      guard,
      "if (standing.organizationIsClosed && !access.evenClosed) throw new ProductError('organization_closed')",
      '',
    ),
    tests: access,
  },
  {
    name: 'the guard lets members into a suspended organisation',
    change: inCode(guard, "if (evenSuspended !== 'owners' || role !== 'owner') throw", 'if (false) throw'),
    tests: access,
  },
  {
    name: 'the guard lets API keys of a suspended organisation in',
    change: inCode(keyGuard, 'if (key.organizationIsSuspended)', 'if (false)'),
    tests: access,
  },
  {
    name: 'the guard does not ask for the scope of an API key',
    change: inCode(keyGuard, 'if (!key.scopes.includes(scope))', 'if (false)'),
    tests: access,
  },
  {
    name: 'the guard lets revoked API keys in',
    change: inCode(keyGuard, "if (key.isRevoked) throw refuse(reply, 'api_key_revoked')", ''),
    tests: access,
  },
  {
    name: 'the guard lets expired API keys in',
    change: inCode(keyGuard, 'if (key.endsAt !== null && key.endsAt.getTime() <= Date.now())', 'if (false)'),
    tests: access,
  },
  {
    name: 'calls of API keys are not limited',
    change: inCode('server/platform/http/add-route.ts', 'spendOfKey(app.keyBuckets, caller, reply)', ''),
    tests: ['server/rate-limits.test.ts'],
  },
  {
    name: 'a session that has ended passes the guard',
    change: inCode(
      'server/features/organizations/organizations.queries.ts',
      'if (!row?.is_known) return',
      'if (!row) return',
    ),
    tests: access,
  },
  {
    name: 'an impersonation writes while reading only',
    change: inCode(
      'server/platform/http/judge-impersonation.ts',
      "return mode === 'changes' ? 'write' : 'read_only'",
      "return 'write'",
    ),
    tests: impersonated,
  },
  {
    name: 'an impersonation changes the account',
    change: inCode(
      'server/platform/http/judge-impersonation.ts',
      "if (access.kind !== 'organization') return 'refused'",
      '',
    ),
    tests: impersonated,
  },
  {
    name: 'an impersonation calls what its contract refuses',
    change: inCode('server/platform/http/judge-impersonation.ts', "impersonation === 'refused' || ", ''),
    tests: impersonated,
  },
  {
    name: 'the guard does not ask what an impersonation may call',
    change: inCode(
      guard,
      'impersonation ? restrict(verified, contract, impersonation.mode) : verified',
      'impersonation ? { ...verified, isReadOnly: contract.method === `GET` } : verified',
    ),
    tests: impersonated,
  },
  {
    name: 'transactions of a request that only reads may write',
    change: inCode(database, 'entry.isReadOnly === true || isReadOnlyOrigin()', 'entry.isReadOnly === true'),
    tests: ['server/platform/database/database.test.ts'],
  },
  {
    name: 'an impersonation makes the user active',
    change: inCode(guard, 'if (role !== undefined && !impersonation) lookup', 'if (role !== undefined) lookup'),
    tests: impersonations,
  },
  {
    name: 'no one learns that a superadmin looked as a member',
    change: inCode(guard, 'if (impersonation && organizationId !== undefined) {', 'if (false) {'),
    tests: impersonations,
  },
  {
    name: 'a token of an impersonation is taken without its signature',
    change: inCode(
      'server/features/impersonations/impersonation-token.ts',
      'if (error instanceof errors.JWTExpired)',
      'if (error instanceof errors.JWSSignatureVerificationFailed)\n          return readActor(JSON.parse(Buffer.from(token.split(`.`)[1] ?? ``, `base64url`).toString()))\n        if (error instanceof errors.JWTExpired)',
    ),
    tests: impersonations,
  },
  {
    name: 'admins manage projects',
    change: inCode('contract/permissions.ts', 'manage_projects: ownerOnly', "manage_projects: ['owner', 'admin']"),
    tests: access,
  },
  {
    name: 'every member invites members',
    change: inCode('contract/permissions.ts', 'invite_members: ownerOnly', 'invite_members: everyone'),
    tests: access,
  },
  {
    name: 'a superadmin holds no more permissions than others',
    change: inCode('contract/permissions.ts', 'if (isSuperadmin) return true', ''),
    tests: access,
  },
  {
    name: 'the contract of the identity secret asks for a lesser permission',
    change: inCode(
      'contract/widget-config.ts',
      `ids",
  tag: 'widget',
  params: ProjectParams,
  replies: { 200: IdentitySecret },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'manage_projects' },`,
      `ids",
  tag: 'widget',
  params: ProjectParams,
  replies: { 200: IdentitySecret },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'view_projects' },`,
    ),
    tests: access,
  },
  {
    name: 'access tokens of other issuers are accepted',
    change: inCode(accessToken, '      issuer,\n      audience', '      audience'),
    tests: access,
  },
  {
    name: 'access tokens for other audiences are accepted',
    change: {
      kind: 'code',
      edits: [
        { file: accessToken, find: "      audience: 'authenticated',\n", put: '' },
        { file: accessToken, find: "payload.aud === 'authenticated' &&", put: '' },
      ],
    },
    tests: access,
  },
  {
    name: 'access tokens without an end are accepted',
    change: inCode(accessToken, "requiredClaims: ['sub', 'exp', 'iat']", "requiredClaims: ['sub', 'iat']"),
    tests: access,
  },
  {
    name: 'access tokens of a service role are accepted',
    change: inCode(accessToken, "payload.role === 'authenticated' &&", ''),
    tests: access,
  },
  {
    name: 'signatures of access tokens are not verified',
    change: inCode(
      accessToken,
      'const verified = await jwtVerify(token, findKey, {',
      "const { decodeJwt } = await import('jose'); const verified = { payload: decodeJwt(token) }; void ({",
    ),
    tests: access,
  },
  {
    name: 'requests run past row-level security',
    change: inCode(database, "actor.role ?? 'authenticated'", "'service_role'"),
    tests: ['server/platform/database/database.test.ts', ...access],
  },
  {
    name: 'requests do not name their organisation to the database',
    change: inCode(database, "set_config('app.organization_id',", "set_config('app.another_name',"),
    tests: access,
  },
  {
    name: 'the operator’s routes take any key',
    change: inCode(
      'server/features/auth/protocol/service-role.ts',
      "throw new AuthError('no_authorization')",
      'return',
    ),
    tests: access,
  },
  {
    name: 'the operator’s routes take an account’s token',
    change: inCode('server/features/auth/protocol/service-role.ts', "throw new AuthError('not_admin')", 'return'),
    tests: access,
  },
  {
    name: 'the auth server answers without a key',
    change: inCode(
      'server/features/auth/protocol/api-gateway.ts',
      'const role = await findKeyRole(apiKey)',
      "const role = (await findKeyRole(apiKey)) ?? 'anon'",
    ),
    tests: access,
  },
  {
    name: 'links to conversations need no signature',
    change: inCode(
      'server/platform/secret/signed-token.ts',
      'timingSafeEqual(bytes.subarray(contentBytes), sign(content)) ? content : undefined',
      'content',
    ),
    tests: access,
  },
  {
    name: 'links to files need no signature',
    change: inCode(
      'server/features/files/serve/file-link.ts',
      'if (!timingSafeEqual(sign(body), bytes.subarray(bodyBytes))) return undefined',
      '',
    ),
    tests: ['server/features/files/serve/files.test.ts', 'server/features/files/files.test.ts'],
  },
  {
    name: 'links to files never expire',
    change: inCode(
      'server/features/files/serve/file-link.ts',
      'if (body.readUInt32BE(33) * 1000 <= now()) return undefined',
      '',
    ),
    tests: ['server/features/files/serve/files.test.ts'],
  },
  {
    name: 'links to exports need no signature',
    change: inCode(
      'server/features/feedback/export/export-link.ts',
      'if (!timingSafeEqual(sign(body), bytes.subarray(bodyBytes))) return undefined',
      '',
    ),
    tests: exports,
  },
  {
    name: 'a former member downloads exports by an old link',
    change: inCode(
      'server/features/feedback/export/exports.routes.ts',
      'database.withTenant(actForExporter(userId, organizationId), (tx) =>\n    findExportFile(tx,',
      'database.asSystem(userId && actForExporter.name, (tx) =>\n    findExportFile(tx,',
    ),
    tests: exports,
  },
  {
    name: 'any website may send feedback with a project’s key',
    change: inCode(
      'server/features/widget/widget.service.ts',
      "if (verdict === 'foreign') throw new ProductError('origin_not_allowed')",
      '',
    ),
    tests: ownItems,
  },
  {
    name: 'a visitor’s id needs no signature of the site',
    change: inCode(
      'server/features/widget/identity.ts',
      'given.length === expected.length && timingSafeEqual(given, expected)',
      'given.length === expected.length',
    ),
    tests: ownItems,
  },
  {
    name: 'visitors see their items of other projects',
    change: inCode('server/features/widget/own-items.queries.ts', ' and project_id = $', ' and organization_id <> $'),
    tests: ownItems,
  },
  {
    name: 'a key erases visitors from other projects',
    change: inCode(
      'server/features/feedback/visitors/erase-visitor.queries.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code, as a text.
      'projectId === null ? sql`` : sql`and f.project_id = ${projectId}`',
      'sql``',
    ),
    tests: ['server/features/api-keys/key-exports-and-visitors.test.ts'],
  },
  {
    name: 'visitors read internal notes',
    change: inCode(
      'server/features/widget/own-items.queries.ts',
      "c.kind = 'reply' and not c.from_visitor",
      'not c.from_visitor',
    ),
    tests: ownItems,
  },
  {
    name: 'visitors read internal notes in the conversation',
    change: inCode('server/features/feedback/conversation/answers.queries.ts', " and c.kind = 'reply'", ''),
    tests: ['server/features/feedback/conversation/conversation.test.ts'],
  },
  {
    name: 'a removed member keeps the live stream',
    change: inCode('server/platform/http/event-stream.ts', 'if (!isAllowed) stream.end()', ''),
    tests: eventStream,
  },
  {
    name: 'the live stream tells who else was notified',
    change: inCode(
      'server/features/feedback/event-stream.ts',
      "if (notice.kind !== 'notifications') return",
      'if (notice.kind) return',
    ),
    tests: eventStream,
  },
  {
    name: 'calls of the API are not limited',
    change: inCode(
      'server/platform/http/add-route.ts',
      "if (request.caller && contract.rate !== 'none')",
      'if (false)',
    ),
    tests: ['server/rate-limits.test.ts'],
  },
  {
    name: 'one operation is not limited',
    change: inCode(
      'contract/exports.ts',
      "evenSuspended: 'owners' },\n  rate: 'write',\n})\n\nexport const listExports",
      "evenSuspended: 'owners' },\n  rate: 'none',\n})\n\nexport const listExports",
    ),
    tests: ['server/rate-limits.test.ts'],
  },
  {
    name: 'submissions are not limited',
    change: inCode(
      'server/features/widget/submission.routes.ts',
      '    spend(ingestBuckets, senderKeyOf(request))\n',
      '',
    ),
    tests: ['server/features/widget/abuse/abuse.test.ts'],
  },
  {
    name: 'any password signs in',
    change: inCode(
      'server/features/auth/accounts/password.ts',
      'return known !== undefined\n  }\n  return false',
      'return known !== undefined\n  }\n  return known !== undefined',
    ),
    tests: ['server/features/auth/sign-in/sign-in.test.ts'],
  },
  {
    name: 'a code is exchanged without the browser’s verifier',
    change: inCode(
      'server/features/auth/sign-in/sign-in.service.ts',
      '!flow.challenge || !isVerifierCorrect(verifier, flow.challenge)',
      '!flow.challenge || !isVerifierCorrect.name',
    ),
    tests: ['server/features/auth/sign-in/sign-in.test.ts'],
  },
  {
    name: 'a copied refresh token does not end the session',
    change: inCode(
      'server/features/auth/sessions/refresh.service.ts',
      "if (!isParent && !session.isWithinReuseInterval) return { action: 'end session' }",
      '',
    ),
    tests: ['server/features/auth/sessions/refresh.test.ts'],
  },
  {
    name: 'refresh tokens need no signature',
    change: inCode('server/features/auth/sessions/refresh.service.ts', '!isRefreshTokenGenuine(token, key) || ', ''),
    tests: ['server/features/auth/sessions/refresh.test.ts', 'server/features/auth/sessions/refresh-token.test.ts'],
  },
  {
    name: 'sign-in redirects to any address',
    change: inCode(
      'server/features/auth/protocol/redirect-rules.ts',
      'return patterns.some((pattern) => pattern.test(withoutFragment.href))',
      'return true',
    ),
    tests: ['server/features/auth/protocol/redirect-rules.test.ts'],
  },
  {
    name: 'visitors’ files have the rights of our pages',
    change: inCode(
      'server/features/files/serve/files.routes.ts',
      `  'content-security-policy': "sandbox; default-src 'none'",\n`,
      '',
    ),
    tests: ['server/features/files/content/content.test.ts'],
  },
  {
    name: 'values of secret fields are logged',
    change: inCode(
      'server/platform/scrub/secret-names.ts',
      'export function isSecretName(name: string): boolean {',
      'export function isSecretName(name: string): boolean {\n  if (name) return false',
    ),
    tests: ['server/platform/scrub/scrub.test.ts'],
  },
]
