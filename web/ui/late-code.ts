import { useEffect, useSyncExternalStore } from 'react'
import { holdKeys } from './hold-keys.ts'

/** Code that no first screen shows. */
export interface LateCode<Code> {
  /** Loads it, once. A failed load is tried again by the next call. */
  readonly load: () => Promise<void>
  /** Undefined until it is loaded. */
  readonly peek: () => Code | undefined
  /** Calls back once it is loaded. @returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void
}

export function createLateCode<Code>(importCode: () => Promise<Code>): LateCode<Code> {
  let code: Code | undefined
  let loading: Promise<void> | undefined
  const listeners = new Set<() => void>()
  return {
    peek: () => code,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    load: () => {
      loading ??= importCode().then(
        (loaded) => {
          code = loaded
          for (const listener of listeners) listener()
        },
        (error: unknown) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
  }
}

/**
 * The code, as soon as it is loaded.
 *
 * @param isWanted whether it is to be shown: then it is loaded now
 * @param takesKeys whether keys pressed meanwhile are meant for what it shows
 */
export function useLateCode<Code>(late: LateCode<Code>, isWanted: boolean, takesKeys = true): Code | undefined {
  const loaded = useSyncExternalStore(late.subscribe, late.peek, () => undefined)
  const isAwaited = isWanted && loaded === undefined
  useEffect(() => {
    if (!isAwaited) return
    const keys = takesKeys ? holdKeys() : undefined
    late.load().catch(() => keys?.drop())
    return keys?.release
  }, [late, isAwaited, takesKeys])
  const isShown = isWanted && loaded !== undefined
  useEffect(() => {
    if (!isShown || !takesKeys) return
    // An overlay listens for Escape only some moments after it is drawn: an Escape before that would be lost, and with it
    // the only way out by keyboard.
    const keys = holdKeys((key) => key === 'Escape')
    keys.release()
    return keys.drop
  }, [isShown, takesKeys])
  return loaded
}
