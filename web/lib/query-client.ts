import { QueryClient } from '@tanstack/react-query'

const fiveMinutesMs = 5 * 60_000

/** The app's cache of server answers: stale after 5 minutes, forgotten 5 minutes after its last use. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: fiveMinutesMs,
        gcTime: fiveMinutesMs,
        retry: (failures, error) => failures < 3 && !isClientFault(error),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 4000),
      },
      mutations: {
        retry: (failures, error) => failures < 1 && !isClientFault(error),
        retryDelay: 1000,
      },
    },
  })
}

/** A 4xx answer: asking again would get the same. */
export function isClientFault(error: unknown): boolean {
  const status = (error as { status?: unknown } | null)?.status
  return typeof status === 'number' && status >= 400 && status < 500
}
