import { AsyncLocalStorage } from 'node:async_hooks'

const requestIds = new AsyncLocalStorage<string>()

/*
 * The request that the running code works for. Ambient, unlike the connection: services would pass it on for events only,
 * and one that forgot would lose it silently.
 */

/** Runs `fn`, and whatever it starts, on behalf of a request. */
export function withRequestId<T>(requestId: string, fn: () => T): T {
  return requestIds.run(requestId, fn)
}

export function currentRequestId(): string | undefined {
  return requestIds.getStore()
}
