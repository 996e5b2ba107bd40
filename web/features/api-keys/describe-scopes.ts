import type { KeyScope } from '#contract/key-scope.ts'

/** What a key may do, in words. */
export function describeScopes(scopes: readonly KeyScope[]): string {
  if (scopes.length > 1) return 'Read and write'
  return scopes[0] === 'write' ? 'Write only' : 'Read only'
}
