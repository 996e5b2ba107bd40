import type { GithubRepository } from '#contract/github-app.ts'
import { type AppCredentials, authorizeApp, createToken, type Installation, judgeApp } from './app-token.ts'
import { type GithubAccess, requestGithub } from './request-github.ts'

const pageSize = 100
/** Of all installations together. */
const maxRepositories = 1_000
/** An App that is not public has one: in its owner's account. */
const maxInstallations = 5

interface RepositoryPage {
  readonly total_count: number
  readonly repositories: readonly { full_name: string; has_issues: boolean }[]
}

/**
 * Repositories in which an App is installed.
 *
 * @throws DeliveryFailure when GitHub does not know the App any more, or does not answer.
 */
export async function listRepositories(
  access: GithubAccess,
  app: AppCredentials,
): Promise<{ isInstalled: boolean; items: GithubRepository[]; isCut: boolean }> {
  const all = await requestGithub<Installation[]>(access, `/app/installations?per_page=${maxInstallations}`, {
    authorization: authorizeApp(app),
    judge: judgeApp,
  })
  const installations = all.filter(({ suspended_at: suspendedAt }) => !suspendedAt)
  const items: GithubRepository[] = []
  let isCut = false
  for (const installation of installations) {
    const { token } = await createToken(access, app, installation)
    isCut = (await addRepositories(access, `Bearer ${token}`, items)) || isCut
  }
  items.sort((one, other) => one.name.localeCompare(other.name))
  return { isInstalled: installations.length > 0, items, isCut }
}

/** @returns whether there are more than were added. */
async function addRepositories(
  access: GithubAccess,
  authorization: string,
  items: GithubRepository[],
): Promise<boolean> {
  for (let page = 1; items.length < maxRepositories; page += 1) {
    const path = `/installation/repositories?per_page=${pageSize}&page=${page}`
    const { repositories } = await requestGithub<RepositoryPage>(access, path, { authorization })
    items.push(...repositories.map(({ full_name: name, has_issues: hasIssues }) => ({ name, hasIssues })))
    if (repositories.length < pageSize) return false
  }
  return true
}
