import { useEffect } from 'react'

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

/**
 * Loads code that the next press may need, once the screen shows its content and the browser has nothing else to do.
 *
 * @param load the same function at every rendering
 * @param isShown whether the screen shows its content
 */
export function useIdleLoad(load: () => Promise<unknown>, isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return
    // A failure is told when the code is needed.
    return whenIdle(() => void load().catch(() => {}))
  }, [load, isShown])
}
