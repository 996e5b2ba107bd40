import { useConfig } from '#web/lib/config.tsx'

/** The address that the snippet loads from. */
export function useAppUrl(): string {
  const { appUrl } = useConfig()
  return appUrl ?? window.location.origin
}
