import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether React has taken over the page. A form that is sent before would leave the app, with what was typed. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
