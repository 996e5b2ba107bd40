/**
 * Runs one thing of a name at a time over all tabs. Without Web Locks (plain HTTP, blocked storage) it just runs: then
 * the server's answers have to do, which know every id and every offset.
 */
export async function withLock<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  let running: Promise<Result> | undefined
  try {
    return await navigator.locks.request(`earshot:${name}`, () => {
      running = run()
      return running
    })
  } catch {
    return running ?? run()
  }
}

/** Names of the locks that some tab holds; undefined where nobody knows. */
export async function findHeldLocks(): Promise<readonly (string | undefined)[] | undefined> {
  try {
    return (await navigator.locks.query()).held?.map(({ name }) => name)
  } catch {
    return undefined
  }
}
