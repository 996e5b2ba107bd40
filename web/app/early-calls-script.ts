import { openStatuses } from '#contract/feedback.ts'
import { withBasePath } from '../lib/base-path.ts'
import type { EarlyCalls } from '../lib/early-calls.ts'
import { storageKeys } from '../lib/storage.ts'

/** What a page begins with. It stands in the page as JSON. */
interface Plan {
  readonly backend: { readonly url: string; readonly anonKey: string }
  /** Where the browser keeps the session and the last organisation. */
  readonly sessionKey: string
  readonly organizationKey: string
  readonly account: string
  readonly organizations: string
  readonly reads: readonly Read[]
}

/** A read of the organisation. */
interface Read {
  /** Below the organisation's own address; `{from}` and `{to}` are the last thirty days. */
  readonly path: string
  /** Read once events arrive, so that it misses none and need not be read again. */
  readonly afterEvents?: true
  /** Of the projects that the address names. Left out if it names anything else but an open item. */
  readonly isFiltered?: true
  /** The path where the address names no project, if it is another. */
  readonly unfiltered?: string
}

const ofEveryScreen: readonly Read[] = [{ path: 'notifications', afterEvents: true }]

/** By path of the screen. The addresses are those that its queries build. */
const ofScreen: Readonly<Record<string, readonly Read[]>> = {
  '/dashboard': [
    { path: 'projects' },
    { path: 'analytics/overview' },
    { path: 'feedback?status=new&sort=oldest&limit=5' },
    { path: 'feedback?limit=5' },
    { path: 'analytics/trends?from={from}&to={to}' },
    { path: 'analytics/times?from={from}&to={to}' },
  ],
  '/dashboard/feedback': [
    { path: 'projects' },
    {
      path: 'feedback?limit=100',
      // A plain address opens the open items.
      unfiltered: `feedback?${openStatuses.map((status) => `status=${status}`).join('&')}&limit=100`,
      afterEvents: true,
      isFiltered: true,
    },
    { path: 'feedback/counts', unfiltered: 'feedback/counts?stage=open', afterEvents: true, isFiltered: true },
    { path: 'members' },
    { path: 'views' },
  ],
  '/dashboard/projects': [{ path: 'projects' }],
  '/dashboard/analytics': [
    { path: 'projects' },
    { path: 'analytics/trends?from={from}&to={to}', isFiltered: true },
    { path: 'analytics/times?from={from}&to={to}', isFiltered: true },
    { path: 'analytics/origins?from={from}&to={to}', isFiltered: true },
    { path: 'analytics/funnel?from={from}&to={to}', isFiltered: true },
  ],
}

/**
 * A script for a page of the dashboard: it makes the calls that the page begins with, while the page's code is on its way.
 * It makes none unless a session is stored that is good for five more minutes, and an organisation is known from an
 * earlier visit; the app then calls as it would without this script.
 *
 * @param path of the screen
 */
export function writeEarlyCallsScript(path: string, backend: Plan['backend']): string {
  const plan: Plan = {
    backend,
    sessionKey: storageKeys.session,
    organizationKey: storageKeys.selectedOrganizationId,
    account: withBasePath('/api/v1/account'),
    organizations: withBasePath('/api/v1/organizations'),
    reads: [...ofEveryScreen, ...(ofScreen[path] ?? [])],
  }
  // In a script: no text of it may end the script.
  return `(${makeEarlyCalls})(${JSON.stringify(plan).replaceAll('<', '\\u003c')})`
}

/** Runs in the browser, from its text: it can use nothing but its argument and what every page has. */
function makeEarlyCalls({ backend, sessionKey, organizationKey, account, organizations, reads }: Plan): void {
  const shortestTokenMs = 300_000
  /** What no one has taken by then is not needed. */
  const longestWaitMs = 20_000
  try {
    const session = JSON.parse(sessionStorage.getItem(sessionKey) ?? localStorage.getItem(sessionKey) ?? '')
    const organization = sessionStorage.getItem(organizationKey) ?? localStorage.getItem(organizationKey)
    if (organization === null || session.expires_at * 1000 - Date.now() < shortestTokenMs) return
    const token: string = session.access_token
    const calls: EarlyCalls['calls'] = {}
    const start = (url: string, body?: string, headers: Record<string, string> = {}) => {
      const ending = new AbortController()
      const response = fetch(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { accept: 'application/json', authorization: `Bearer ${token}`, ...headers },
        credentials: 'omit',
        signal: ending.signal,
        ...(body !== undefined && { body }),
      })
      // The code that takes the call handles its failure.
      response.catch(() => {})
      calls[`${url} ${body ?? ''}`] = { response, abort: () => ending.abort() }
      return response
    }
    const callFunction = (name: string, values: object) =>
      start(`${backend.url}/rest/v1/rpc/${name}`, JSON.stringify(values), {
        apikey: backend.anonKey,
        'content-type': 'application/json',
      })
    const ownAddress = `${organizations}/${organization}/`
    const search = new URLSearchParams(location.search)
    const projects = [...new Set(search.getAll('project'))].sort().map((id) => `projectId=${id}`)
    const isPlain = [...search.keys()].every((name) => name === 'project' || name === 'item')
    const dayMs = 86_400_000
    const dayAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)
    const read = ({ path, isFiltered, unfiltered = path }: Read) => {
      if (isFiltered && !isPlain) return
      const dated = (projects.length > 0 ? path : unfiltered).replace('{from}', dayAgo(29)).replace('{to}', dayAgo(0))
      if (!isFiltered || projects.length === 0) return void start(ownAddress + dated)
      const [name, ...rest] = dated.split('?')
      start(`${ownAddress + name}?${[...projects, ...rest].join('&')}`)
    }
    globalThis.earshotEarly = { token, calls }
    const events = start(`${ownAddress}events`, undefined, { accept: 'text/event-stream' })
    const userId: string = session.user.id
    callFunction('get_user_organization_by_id', { p_org_id: organization, p_user_id: userId })
    callFunction('is_superadmin', { user_id: userId })
    start(account)
    for (const each of reads) if (!each.afterEvents) read(each)
    const readRest = () => {
      for (const each of reads) if (each.afterEvents) read(each)
    }
    events.then(readRest, readRest)
    setTimeout(() => {
      for (const key of Object.keys(calls)) calls[key]?.abort()
      globalThis.earshotEarly = undefined
    }, longestWaitMs)
  } catch {
    // No one is signed in, or the browser stores nothing: the app finds out by itself.
  }
}
