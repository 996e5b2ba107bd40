import { useEffect } from 'react'
import { whenIdle } from './when-idle.ts'

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
