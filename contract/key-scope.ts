/** What an API key may do in its project. `read`: GET requests, and exports. `write`: all others. */
export const keyScopes = ['read', 'write'] as const
export type KeyScope = (typeof keyScopes)[number]
