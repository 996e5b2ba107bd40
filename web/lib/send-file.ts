import type { ParamsOf, QueryOf, ReplyOf, RouteContract } from '#contract/route.ts'
import { ApiError, buildUrl } from './api.ts'
import { findAccessToken } from './auth-client.ts'

/** Sends a file to a route whose body is the file itself. @throws ApiError on a refusal; its message is for people. */
export async function sendFile<R extends RouteContract>(
  contract: R,
  { params, query }: { params: ParamsOf<R>; query?: QueryOf<R> },
  file: Blob,
): Promise<ReplyOf<R>> {
  const token = await findAccessToken()
  const reply = await fetch(buildUrl(contract.path, params, query), {
    method: contract.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    credentials: 'omit',
    body: file,
  })
  // The contract's answer to a file.
  if (reply.ok) return (await reply.json()) as ReplyOf<R>
  const problem = await reply.json().catch(() => undefined)
  throw new ApiError(
    problem ?? {
      code: 'unexpected_answer',
      title: 'Couldn’t upload the file. Try again.',
      status: reply.status,
      requestId: '',
    },
  )
}
