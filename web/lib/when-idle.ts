/** The latest moment, for pages that are never idle. */
const timeoutMs = 2000

/** Calls back once the browser has nothing else to do. @returns what takes it back. */
export function whenIdle(start: () => void): () => void {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(start, timeoutMs)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(start, { timeout: timeoutMs })
  return () => cancelIdleCallback(request)
}
