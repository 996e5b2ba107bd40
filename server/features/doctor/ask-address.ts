import { readErrorCode, readErrorMessage } from '#server/platform/read-error.ts'

const timeoutMs = 5_000
const mostCharacters = 100_000

export type Asked =
  | { readonly status: number; readonly text: string; readonly headers: Headers }
  /** There was no answer; why, in a few words. */
  | { readonly status: null; readonly problem: string }

/**
 * Asks an address that the operator configured. Visitors and members can't name it, so it may be private. Redirects are
 * answers.
 */
export async function askAddress(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Asked> {
  try {
    const reply = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    return { status: reply.status, text: (await reply.text()).slice(0, mostCharacters), headers: reply.headers }
  } catch (error) {
    return { status: null, problem: describeProblem(error) }
  }
}

function describeProblem(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return readErrorCode(cause) ?? readErrorMessage(cause)
}
