import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

const timeoutMs = 5_000

type BodyAnswer = 'accepted' | { readonly status: number; readonly isOwn: boolean }

/**
 * Asks whether a large body would be accepted, without sending it: by `Expect: 100-continue`. For addresses of the
 * operator's settings alone: the address is not checked.
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
