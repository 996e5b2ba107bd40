import { QueryClient, type QueryKey } from '@tanstack/react-query'

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

/**
 * Reads again what has changed. A first answer that is still on its way may be older than the change, and asking for it
 * meanwhile asks for nothing new: it is awaited.
 */
export async function readAgain(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const query = queryClient.getQueryCache().find({ queryKey })
  if (query?.state.data === undefined) await query?.promise?.catch(() => undefined)
  await queryClient.invalidateQueries({ queryKey })
}

/** A 4xx answer: asking again would get the same. */
export function isClientFault(error: unknown): boolean {
  // Anything can be thrown; the status is checked below.
  const status = (error as { status?: unknown } | null)?.status
  return typeof status === 'number' && status >= 400 && status < 500
}
