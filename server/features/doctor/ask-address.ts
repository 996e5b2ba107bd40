import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
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

type BodyAnswer = 'accepted' | { readonly status: number; readonly isOwn: boolean }

/**
 * Asks whether a large body would be accepted, without sending it: by `Expect: 100-continue`.
 *
 * @returns `accepted`, or the status of the refusal and whether Earshot itself refused; undefined: there was no answer.
 */
export function announceBody(url: string, bytes: number): Promise<BodyAnswer | undefined> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve) => {
    const request = send(url, {
      method: 'PATCH',
      headers: {
        expect: '100-continue',
        'content-length': bytes,
        'content-type': 'application/offset+octet-stream',
      },
      timeout: timeoutMs,
    })
    const end = (result: BodyAnswer | undefined) => {
      resolve(result)
      request.destroy()
    }
    request.on('continue', () => end('accepted'))
    request.on('response', ({ statusCode = 0, headers }) =>
      end({ status: statusCode, isOwn: headers['x-request-id'] !== undefined }),
    )
    request.on('timeout', () => end(undefined))
    // The first answer counts: once there was one, the connection may break.
    request.on('error', () => end(undefined))
    request.flushHeaders()
  })
}
