import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { readJson } from '../service-answer.ts'
import type { ServiceRequest } from '../service-request.ts'

/** Where GitHub's API is asked, and how. */
export interface GithubAccess {
  readonly apiUrl: string
  send(url: string, request?: ServiceRequest): Promise<OutboundAnswer>
}

export type GithubRequest = Pick<ServiceRequest, 'method' | 'json' | 'judge' | 'hidesAnswer'> & {
  /** Undefined: the request needs none. */
  readonly authorization?: string
}

export const githubApiUrl = 'https://api.github.com'

const maxAnswerBytes = 4_000_000
/** Of a repository that was renamed, an issue that was transferred: two. */
const maxMoves = 3
const moveStatuses = [301, 302, 307, 308]

/**
 * Asks GitHub's REST API (https://docs.github.com/rest), version 2022-11-28. Repositories and issues that moved are asked at
 * their new address, on the same host alone, which gets the credentials.
 *
 * @returns the parsed answer, which is as GitHub documents it.
 * @throws DeliveryFailure for every answer that is no 2xx.
 */
export async function requestGithub<Answer>(
  { apiUrl, send }: GithubAccess,
  path: string,
  { authorization, method = 'GET', judge, ...request }: GithubRequest = {},
): Promise<Answer> {
  const headers = {
    ...(authorization !== undefined && { authorization }),
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }
  let url = `${apiUrl.replace(/\/$/, '')}${path}`
  for (let moves = 0; ; moves += 1) {
    let movedTo: string | undefined
    const judgeMove = (answer: OutboundAnswer) => {
      movedTo = moves < maxMoves ? readMove(answer, url) : undefined
      return judge?.(answer)
    }
    try {
      const answer = await send(url, { ...request, method, headers, maxAnswerBytes, judge: judgeMove })
      return readJson<Answer>(answer, 'GitHub')
    } catch (error) {
      if (movedTo === undefined) throw error
      url = movedTo
    }
  }
}

/** Where something is now; undefined: it did not move, or to another host. */
function readMove({ status, headers: { location } }: OutboundAnswer, from: string): string | undefined {
  if (!moveStatuses.includes(status) || location === undefined || !URL.canParse(location, from)) return undefined
  const to = new URL(location, from)
  return to.origin === new URL(from).origin ? to.href : undefined
}
