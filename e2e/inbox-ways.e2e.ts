import type { Page } from '@playwright/test'
import type { BulkOperation } from '#contract/bulk.ts'
import { holdAnswers, holdRequests } from './hold.ts'
import { expectGoodLooks, expectNoBlankScroll } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

/* Shortcuts through the inbox, and their announcements. */
const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')
const openItem = (page: Page) => page.getByRole('region', { name: 'Item', exact: true })

test('r and c begin a reply and a note, from the list as from the item', async ({ page, project }) => {
  const email = 'vera@example.org'
  await project.send({ message: 'The older chair', email })
  await project.send({ message: 'The newer chair', email })
  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  const item = openItem(page)
  await expect(item.getByRole('textbox', { name: 'Reply', exact: true })).toBeFocused()
  await page.keyboard.type('rjc are letters here')
  await expect(item.getByRole('textbox', { name: 'Reply', exact: true })).toHaveValue('rjc are letters here')
  await expect(item.getByRole('heading', { name: /#2/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(item.getByRole('textbox', { name: 'Reply', exact: true })).not.toBeFocused()
  await page.keyboard.press('j')
  await expect(item.getByRole('heading', { name: /#1/ })).toBeVisible()
  await page.keyboard.press('c')
  await expect(item.getByRole('textbox', { name: 'Note' })).toBeFocused()
})

test('the palette finds an item by its number', async ({ page, project }) => {
  await project.send('The first of all')
  const second = await project.send('Something else')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await palette.getByRole('combobox').fill('#2')
  const found = palette.getByRole('option', { name: '#2 Something else' })
  await expect(found.first()).toBeVisible()
  await expect(palette.getByRole('option', { name: /^#1 / })).toHaveCount(0)
  await expectGoodLooks(page)
  await found.first().click()
  await expect(page).toHaveURL(new RegExp(`item=${second}`))
  await expect(openItem(page).getByText('Something else', { exact: true })).toBeVisible()
})

test('a mistyped word is read as the one that was meant, and the list says so', async ({ page, project }) => {
  await project.send('Please send the invoice again')
  await project.send('Please add a dark mode')
  // Words are learnt a moment after an item is there.
  await expect(async () => {
    await page.goto(`${project.inbox}&q=invioce`)
    await expect(page.getByText('Also searched for: invoice')).toBeVisible({ timeout: 6000 })
  }).toPass()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('Please send the invoice')
  await expectGoodLooks(page)
  await page.getByRole('searchbox', { name: 'Search' }).fill('invoice')
  await expect(page.getByText('Also searched for')).toHaveCount(0)
  await expect(rows(page)).toHaveCount(1)
})

test('a change of many that takes long shows how far it is', async ({ page, project }) => {
  for (const text of ['One', 'Two', 'Three']) await project.send(text)
  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(3)
  // As the server answers large changes: a job continues, and its progress is polled.
  await page.route('**/feedback/bulk', async (route) => {
    const answer = await route.fetch()
    const operation = (await answer.json()) as BulkOperation
    await route.fulfill({ response: answer, json: { ...operation, state: 'running', processed: 1, total: 3 } })
  })
  const questions = await holdRequests(page, '**/feedback/bulk/*')
  await page.keyboard.press('j')
  await page.keyboard.press('Control+a')
  await expect(page.getByRole('region', { name: 'Selected items' })).toContainText('3')
  await page.keyboard.press('e')
  const progress = page.getByRole('progressbar', { name: 'archived' })
  await expect(progress).toHaveAttribute('aria-valuetext', '1 of 3')
  await expectGoodLooks(page)
  questions.release()
  await expect(progress).toHaveCount(0)
  await expect(page.getByText('3 items: archived').first()).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
})

test('a tag is added by Enter, and the next key is a shortcut again', async ({ page, project }) => {
  await project.send('Tagged in a hurry')
  await page.goto(project.inbox)
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('j')
  const tags = page.getByRole('combobox', { name: 'Tags' })
  await page.keyboard.press('t')
  await expect(tags).toBeFocused()
  await page.keyboard.type('aardvark')
  await page.keyboard.press('Enter')
  await expect(tags).toBeHidden()
  await expect(rows(page).getByText('Tags: aardvark')).toBeAttached()
  // Left by one Escape, also with words in it.
  await page.keyboard.press('t')
  await page.keyboard.type('badger')
  await page.keyboard.press('Escape')
  await expect(tags).toBeHidden()
  await page.keyboard.press('e')
  await expect.poll(async () => (await project.listItems('archived')).map((item) => item.tags)).toEqual([['aardvark']])

  // Shift keeps it open for several.
  await project.send('Tagged twice')
  await expect(rows(page).filter({ hasText: 'Tagged twice' })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('t')
  for (const tag of ['capybara', 'dormouse']) {
    await tags.fill(tag)
    await page.keyboard.press('Shift+Enter')
  }
  await page.keyboard.press('Escape')
  await expect(tags).toBeHidden()
  await expect
    .poll(async () => (await project.listItems()).map((item) => item.tags))
    .toEqual([['capybara', 'dormouse']])
})

test('with more items than one page of the list, the document does not scroll into blankness', async ({
  page,
  project,
}) => {
  await Promise.all(Array.from({ length: 105 }, (_, index) => project.send(`Chair number ${index}`)))
  await page.goto(project.inbox)
  await expect(page.getByRole('region', { name: 'Feedback' }).getByRole('listitem').first()).toBeVisible()
  await expectNoBlankScroll(page)
  // Also when the last page is being read.
  const { came, release } = await holdAnswers(page, '**/feedback?*cursor=*')
  await page.getByRole('region', { name: 'Feedback' }).evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
  await came
  await expect(page.getByText('Loading more')).toBeAttached()
  await expectNoBlankScroll(page)
  release()
  await expect(page.getByText('End of list')).toBeAttached()
})
