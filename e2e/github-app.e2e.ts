import { createEmulator } from 'emulate'
import { findFreePort } from '#doubles/free-port.ts'
import { type GithubAppDouble, startGithubAppDouble } from '#doubles/github-app.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test as base } from './team.ts'

const repository = 'octocat/website'
const token = 'github_pat_of_the_test'

/** With GitHub: pages that create and install Apps, and its API. */
const test = base.extend<{ github: GithubAppDouble }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  github: async ({}, use) => {
    const emulator = await createEmulator({
      service: 'github',
      port: await findFreePort(),
      seed: {
        tokens: { [token]: { login: 'octocat', scopes: ['repo'] } },
        github: {
          users: [{ login: 'octocat', name: 'The Octocat', email: 'octocat@example.com' }],
          repos: [{ owner: 'octocat', name: 'website', auto_init: true }],
        },
      },
    })
    const github = await startGithubAppDouble({
      upstream: { url: emulator.url, token },
      repositories: [{ name: repository }, { name: 'octocat/docs' }],
    })
    await use(github)
    await github.stop()
    await emulator.close()
  },
})

test('an owner connects GitHub by an App, leaves before installing it, and continues', async ({
  page,
  github,
  team,
}) => {
  await team.makeProject('Northwind')
  await page.goto('/dashboard/integrations/new/github')
  await expect(page.getByRole('heading', { name: 'Or connect with a token' })).toBeVisible()
  await expectGoodLooks(page)
  const address = page.getByLabel('GitHub Enterprise Server')
  await address.fill('not an address')
  await page.getByRole('button', { name: 'Connect with a GitHub App' }).click()
  await expect(page.getByText('Enter a full address, such as https://github.example.com.')).toBeVisible()
  await address.fill(github.url)
  await page.getByLabel('GitHub organisation').fill('acme')
  await page.getByRole('button', { name: 'Connect with a GitHub App' }).click()

  // GitHub names the App, and sends the browser back with a code.
  await page.getByRole('button', { name: /^Create GitHub App Earshot/ }).click()
  const install = page.getByRole('link', { name: 'Install on GitHub' })
  await expect(install).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/integrations\/github-app\/[0-9a-f-]{36}$/)
  const here = page.url()
  await expect(page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]')).toHaveText(/Install it/)
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(install).toBeVisible()

  await page.goto('/dashboard/integrations/new/github')
  await expect(page.getByText(/^Earshot .* is not connected yet\.$/)).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('link', { name: /^Continue with Earshot/ }).click()
  await install.click()
  await page.getByRole('button', { name: /^Install Earshot/ }).click()
  await expect(page.getByRole('heading', { name: 'Select a repository' })).toBeVisible()
  const connect = page.getByRole('button', { name: 'Connect GitHub Issues' })
  await expect(connect).toBeDisabled()
  await page.getByRole('button', { name: 'Repository: Select' }).click()
  await page.getByRole('combobox', { name: 'Repository' }).fill('web')
  await page.getByRole('option', { name: repository }).click()
  await page.getByLabel('Labels', { exact: true }).fill('feedback')
  await expectGoodLooks(page)
  await connect.click()

  await expect(page.getByText('GitHub is connected', { exact: true })).toBeVisible()
  await expect(page.getByText('GitHub App', { exact: true })).toBeVisible()
  await expect(page.getByText('Active')).toBeVisible()
  // No token is asked for, and the App's secret is replaced on GitHub.
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Disconnect' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Replace signing secret' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByLabel('Labels', { exact: true })).toHaveValue('feedback')
  await expect(page.getByLabel('Token')).toHaveCount(0)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page).toHaveURL(/\/dashboard\/integrations$/)

  await page.goto(`${here}?code=abc&state=def`)
  await expect(page.getByRole('heading', { name: 'Couldn’t connect the GitHub App' })).toBeVisible()
  await expectGoodLooks(page)
  await page.getByRole('link', { name: 'Start again' }).click()
  await expect(page.getByRole('button', { name: 'Connect with a GitHub App' })).toBeVisible()
})
