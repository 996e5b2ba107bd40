import type { RouteContract } from '#contract/route.ts'

/**
 * What a contract allows a superadmin who acts as someone else.
 *
 * - `read`: the call is answered, and the database refuses every write.
 * - `write`: the call is answered as the user's own.
 * - `read_only`: refused, as the impersonation may only read.
 * - `refused`: refused in both modes.
 */
type ImpersonationVerdict = 'read' | 'write' | 'read_only' | 'refused'

/**
 * By default, an impersonation reads what the user reads. It writes in organisations, where its mode allows changes. Writes
 * of the account itself and everything of superadmins are refused, and so is what a contract marks `refused`.
 */
export function judgeImpersonation(
  { access, method, impersonation }: Pick<RouteContract, 'access' | 'method' | 'impersonation'>,
  mode: 'read_only' | 'changes',
): ImpersonationVerdict {
  if (impersonation === 'allowed') return 'write'
  if (impersonation === 'refused' || access.kind === 'superadmin' || access.kind === 'api_key') return 'refused'
  if (method === 'GET') return 'read'
  if (access.kind !== 'organization') return 'refused'
  return mode === 'changes' ? 'write' : 'read_only'
}
