import { queryOptions } from '@tanstack/react-query'
import { createGithubApp, listGithubApps, listGithubRepositories } from '#contract/github-app.ts'
import { call } from '#web/lib/api.ts'
import { integrationsKey } from '../integrations-query.ts'

/** Apps that GitHub has created, and that no integration uses yet. */
export function githubAppsQuery(organizationId: string) {
  return queryOptions({
    queryKey: [...integrationsKey(organizationId), 'github-apps'],
    queryFn: ({ signal }) => call(listGithubApps, { params: { organizationId }, signal }),
    select: ({ items }) => items,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** The exchange of GitHub's code. A query, so that it is made once, however often the screen is drawn. */
export function exchangeQuery(organizationId: string, githubAppId: string, code: string, state: string) {
  return queryOptions({
    queryKey: ['github-app-exchange', organizationId, githubAppId, code],
    queryFn: () => call(createGithubApp, { params: { organizationId, githubAppId }, body: { code, state } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
  })
}

/** Repositories in which an App is installed. Asked again when the person comes back from GitHub. */
export function repositoriesQuery(organizationId: string, githubAppId: string) {
  return queryOptions({
    queryKey: [...integrationsKey(organizationId), 'github-repositories', githubAppId],
    queryFn: ({ signal }) => call(listGithubRepositories, { params: { organizationId, githubAppId }, signal }),
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    retry: false,
    networkMode: 'always',
  })
}
