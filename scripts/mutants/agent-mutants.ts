import { inCode, inFunction, type Mutant } from './mutant.ts'

const oauth = ['server/features/oauth/oauth.test.ts']
const mcp = ['server/features/mcp/mcp.test.ts']
const tokens = 'server/features/oauth/tokens.service.ts'
const guard = 'server/features/mcp/mcp-guard.ts'
const findToken = 'app.find_oauth_token'

/** What keeps agents and connected apps within bounds, missing. */
export const agentMutants: readonly Mutant[] = [
  {
    name: 'agents: a revoked app keeps its access',
    change: inFunction(findToken, 'and g.revoked_at is null', ''),
    tests: oauth,
  },
  {
    name: 'agents: the app of a banned person keeps its access',
    change: inFunction(findToken, 'and app.is_usable_account(g.user_id)', ''),
    tests: oauth,
  },
  {
    name: 'agents: an app reaches a closed organisation',
    change: inFunction(findToken, 'and app.is_open_organization(g.organization_id)', ''),
    tests: oauth,
  },
  {
    name: 'agents: an access token never expires',
    change: inFunction(findToken, 'and t.expires_at > now()', ''),
    tests: oauth,
  },
  {
    name: 'agents: a code needs no verifier',
    change: inCode(tokens, 'toChallenge(code_verifier) === owner.codeChallenge', 'true'),
    tests: oauth,
  },
  {
    name: 'agents: a code works twice',
    change: inCode(tokens, "if (owner.isUsed) return revokeAndRefuse(tx, owner, 'This code was used before.')", ''),
    tests: oauth,
  },
  {
    name: 'agents: a refresh token works again at any time',
    change: inCode(
      tokens,
      "if (owner.isCopy) return revokeAndRefuse(tx, owner, 'This refresh token was used before.')",
      '',
    ),
    tests: oauth,
  },
  {
    name: 'agents: a code is sent to any address of a registered website',
    change: inCode(
      'server/features/oauth/redirect-uri.ts',
      'if (registered.includes(text)) return true',
      'if (registered.some((each) => new URL(each).hostname === (URL.canParse(text) ? new URL(text).hostname : ""))) return true',
    ),
    tests: oauth,
  },
  {
    name: 'agents: tools that write are listed without the scope',
    change: inCode('server/features/mcp/mcp-server.ts', 'if (tool.writes && !caller.mayWrite) continue', ''),
    tests: mcp,
  },
  {
    name: 'agents: tools that write are called without the scope',
    change: inCode('server/features/mcp/mcp.routes.ts', 'writes && !caller.mayWrite', 'writes && !caller'),
    tests: mcp,
  },
  {
    name: 'agents: tools that read may write',
    change: inCode('server/platform/database/database.ts', "set_config('transaction_read_only', 'on', true)", "''"),
    tests: ['server/platform/database/database.test.ts'],
  },
  {
    name: 'agents: websites may call the address of agents',
    change: inCode(guard, 'headers.origin !== new URL(appUrl).origin', 'headers.origin === ""'),
    tests: mcp,
  },
  {
    name: 'agents: invisible characters stay invisible',
    change: inCode('server/features/mcp/quote.ts', 'const shown = showInvisible(', 'const shown = String('),
    tests: mcp,
  },
  {
    name: 'agents: a tag leaves without a quotation',
    change: inCode(
      'server/features/mcp/write-text.ts',
      'isQuotation(value)) {',
      'isQuotation(value) && value.origin !== "unknown") {',
    ),
    tests: mcp,
  },
]
