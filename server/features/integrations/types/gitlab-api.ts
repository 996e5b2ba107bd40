import { DeliveryFailure } from '../delivery-failure.ts'
import type { TrackerApi } from '../issues/tracker.ts'
import { orMissing } from '../service-answer.ts'
import type { ServiceRequest } from '../service-request.ts'

/** What GitLab's API is asked with. */
export type GitLabApi = TrackerApi<{
  readonly project: string
  readonly token: string
  readonly server?: string
  readonly labels?: string
}>

const maxAnswerBytes = 8_000_000
const maxPages = 10
export const pageSize = 100

/** Undefined: it does not exist, or the token can't see it. */
export async function find<Answer>(
  api: GitLabApi,
  path: string,
  method: 'GET' | 'DELETE' = 'GET',
): Promise<Answer | undefined> {
  return orMissing(ask<Answer>(api, path, method))
}

export async function askPages<Item>(api: GitLabApi, path: string): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; page <= maxPages; page += 1) {
    const separator = path.includes('?') ? '&' : '?'
    const found = await ask<Item[]>(api, `${path}${separator}per_page=${pageSize}&page=${page}`)
    items.push(...found)
    if (found.length < pageSize) break
  }
  return items
}

export async function ask<Answer>(
  { settings: { token, server = 'https://gitlab.com' }, send }: GitLabApi,
  path: string,
  method: ServiceRequest['method'] = 'GET',
  { base = '/api/v4', ...options }: Pick<ServiceRequest, 'json' | 'judge'> & { base?: string } = {},
): Promise<Answer> {
  const url = `${server.replace(/\/+$/, '')}${base}${path}`
  const headers = { authorization: `Bearer ${token}` }
  const { status, body } = await send(url, { method, headers, maxAnswerBytes, ...options })
  const text = status === 204 ? 'null' : body.toString()
  try {
    // GitLab's documented answer.
    return JSON.parse(text) as Answer
  } catch {
    throw notGitLab()
  }
}

export const notGitLab = () => new DeliveryFailure('The answer is not GitLab’s. Is the server’s address right?')
