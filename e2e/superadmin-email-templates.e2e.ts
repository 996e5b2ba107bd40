import { readFile } from 'node:fs/promises'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'
import { test } from './superadmin.ts'

const base = '/dashboard/superadmin/email-templates'

// Words are of the whole instance: an email that no other journey reads.
const id = 'backup_alert.drill_works'
const title = 'The restore drill succeeded again'

test.beforeEach(() => changeRows('delete from app.email_templates where id = $1', [id]))

test('a superadmin changes the words of an email, looks at it, tests it, and resets it', async ({
  page,
  complaints,
}) => {
  await page.goto(base)
  await expect(page).toHaveTitle('Email templates · Earshot')
  await expect(page.getByRole('list', { name: 'Sign-in' }).getByRole('listitem')).toHaveCount(9)
  await expectGoodLooks(page)
  const search = page.getByRole('searchbox', { name: 'Search templates' })
  await search.fill('no such email')
  await expect(page.getByText('No template matches this search.')).toBeVisible()
  await search.fill('drill_works')
  await page.getByRole('link', { name: title }).click()

  const frame = page.frameLocator('iframe[title="Email"]')
  await expect(frame.getByRole('heading', { name: title })).toBeVisible()
  await expectGoodLooks(page)
  await page.getByLabel('Title').fill('All is well at {{hsot}}')
  await expect(page.getByText('This text uses the unknown variable {{hsot}}. Did you mean {{host}}?')).toBeVisible()
  await expect(page.getByText('Correct the marked texts to see the email.')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Some values are not valid.')).toBeVisible()

  await page.getByLabel('Title').fill('<script>All is well</script> at ')
  await page.getByRole('button', { name: 'Insert host' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('<script>All is well</script> at {{host}}')
  await expect(frame.getByRole('heading', { name: /^<script>All is well<\/script> at \S+:\d+$/ })).toBeVisible()
  await expect(page.getByText('Title contains markup, which readers see as text.')).toBeVisible()
  await page.getByRole('radio', { name: 'Dark' }).click()
  await expect(frame.locator('body')).toHaveCSS('background-color', 'rgb(16, 17, 20)')
  await page.getByRole('radio', { name: 'Light' }).click()
  await expect(frame.locator('body')).toHaveCSS('background-color', 'rgb(244, 245, 247)')
  await page.getByRole('radio', { name: 'Text' }).click()
  await expect(page.locator('pre')).toContainText('<script>All is well</script> at')

  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByRole('link', { name: 'The test' })).toHaveAttribute('href', /email-monitoring\/[\da-f-]{36}$/)
  await expect(page.getByText(/was sent$/)).toBeVisible({ timeout: 15_000 })

  await page.getByLabel('Title').press('ControlOrMeta+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByText('Customised')).toBeVisible()
  await page.getByRole('button', { name: 'Reset to default' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset to default' }).click()
  await expect(page.getByLabel('Title')).toHaveValue(title)

  await page.getByRole('radio', { name: 'Versions' }).click()
  const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
  await expect(versions).toHaveCount(3)
  await versions.nth(1).getByRole('button').click()
  await expect(page.getByRole('region', { name: 'Differences' })).toContainText('All is well')
  await expectGoodLooks(page)
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect(page.getByText('Version restored', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('<script>All is well</script> at {{host}}')
  expect(complaints.filter((complaint) => !/400/.test(complaint))).toEqual([])
})

test('two superadmins edit one email: neither loses their words', async ({ page, context }) => {
  await page.goto(`${base}/${id}`)
  const other = await context.newPage()
  await other.goto(`${base}/${id}`)
  await page.getByLabel('Title').fill('Mine')
  await other.getByLabel('Title').fill('Theirs')
  await other.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/Someone else saved this email/)).toBeVisible()
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('radio', { name: 'Versions' }).click()
  await expect(page.getByRole('list', { name: 'Versions' }).getByRole('listitem')).toHaveCount(3)
})

test('a superadmin carries words to another instance', async ({ page }, testInfo) => {
  await page.goto(`${base}/${id}`)
  await page.getByLabel('Title').fill('Carried')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Email templates' }).last().click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const path = testInfo.outputPath('templates.json')
  await (await downloading).saveAs(path)
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ templates: { [id]: { title: 'Carried' } } })

  await changeRows('delete from app.email_templates where id = $1', [id])
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import' }).click()
  await (await choosing).setFiles(path)
  const dialog = page.getByRole('dialog')
  await dialog.locator('summary', { hasText: title }).click()
  await expect(dialog.getByRole('insertion').first()).toContainText('Carried')
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByText('Templates imported', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: title }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Carried')
})
