import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { test } from './team.ts'

const rows = (page: Page) => page.getByRole('region', { name: 'Feedback' }).getByRole('listitem')

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Export and import' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('an export holds the filtered items and no formula that a spreadsheet would run', async ({ page, project }) => {
  await project.send({ message: '=HYPERLINK("https://evil.example")', type: 'bug' })
  await project.send({ message: 'A deeper drawer, please', type: 'idea' })
  await page.goto(`${project.inbox}&type=bug`)
  await expect(rows(page)).toHaveCount(1)
  await choose(page, 'Export…')
  const dialog = page.getByRole('dialog', { name: 'Export feedback' })
  await expect(dialog.getByText('1 item matching your filters.')).toBeVisible()
  await dialog.getByRole('radio', { name: /^CSV/ }).check()
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(dialog.getByText(/^CSV, 1 item, /)).toBeVisible({ timeout: 20_000 })
  await expectGoodLooks(page)

  const downloading = page.waitForEvent('download')
  await dialog.getByRole('link', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/\.csv$/)
  const csv = await readFile(await download.path(), 'utf8')
  expect(csv.trim().split('\r\n')).toHaveLength(2)
  expect(csv).toContain(`'=HYPERLINK`)
  expect(csv).not.toContain('drawer')

  await dialog.getByRole('button', { name: 'Delete CSV export' }).click()
  await expect(dialog.getByText(/^CSV, 1 item, /)).toHaveCount(0)
})

test('a file of another tool is imported row by row, and undone later', async ({ page, project }) => {
  const options = ['Free', 'Professional']
  await project.publish({ fields: [{ id: 'plan', kind: 'select', label: 'Your plan', required: false, options }] })
  await page.goto(project.inbox)
  await choose(page, 'Import…')
  const dialog = page.getByRole('dialog', { name: 'Import feedback' })
  await dialog.getByLabel('Project').selectOption(project.id)
  await dialog.getByLabel('File').setInputFiles({
    name: 'elsewhere.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Details,Category,Score,Your plan,Said by\r\n"The lamp, again",bug,2,free,A\r\nA wider desk,idea,5,,B\r\n' +
        'Broken,bug,eleven,Gold,C\r\n,,,,\r\n',
    ),
  })
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByLabel('Field for Details').getByRole('option', { selected: true })).toHaveText('Message')
  await expect(dialog.getByLabel('Field for Your plan').getByRole('option', { selected: true })).toHaveText('Your plan')
  await dialog.getByLabel('Field for Category').selectOption({ label: 'Type' })
  await dialog.getByLabel('Field for Score').selectOption({ label: 'Rating, 1 to 5' })
  await dialog.getByLabel('Field for Said by').selectOption({ label: 'Visitor name' })
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByLabel('bug becomes')).toHaveValue('bug')
  await expect(dialog.getByLabel('eleven becomes')).toHaveValue('')
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Validate' }).click()
  await expect(dialog.getByText('3 rows can be imported, 1 row can’t. 1 row loses values')).toBeVisible({
    timeout: 20_000,
  })
  await expect(dialog.getByRole('region', { name: 'Rows that can’t be imported' })).toContainText(
    'Row 5: it has neither a message nor a rating',
  )
  await expect(dialog.getByRole('region', { name: 'Values that are left out' })).toContainText(
    /Row 4: .*Rating “eleven” is no rating.*Your plan “Gold” is none of Free, Professional/,
  )
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Change columns' }).click()
  await expect(dialog.getByLabel('Field for Said by').getByRole('option', { selected: true })).toHaveText(
    'Visitor name',
  )
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByLabel('eleven becomes').selectOption({ label: '5 of 5' })
  await dialog.getByRole('button', { name: 'Validate' }).click()
  await dialog.getByRole('button', { name: 'Import 3 items' }).click({ timeout: 20_000 })
  await expect(dialog.getByText('3 rows imported, 1 row skipped. 1 row lost values')).toBeVisible({ timeout: 20_000 })
  // Behind the dialog, which hides it from those who listen.
  await expect(page.getByText('A wider desk')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('The lamp, again').first().click()
  await expect(page.getByText('Your plan')).toBeVisible()
  await expect(page.getByText('Free', { exact: true })).toBeVisible()

  // Another day, from the list of what was imported, by keyboard alone.
  await page.goto(project.inbox)
  await page.getByRole('button', { name: 'Export and import' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Imports' })).toBeFocused()
  await page.keyboard.press('Enter')
  const list = page.getByRole('dialog', { name: 'Imports' })
  const row = list.getByRole('listitem').filter({ hasText: project.name }).filter({ hasText: 'elsewhere.csv' })
  await expect(row).toContainText('3 items, 1 row skipped')
  await expectGoodLooks(page)
  await row.getByRole('button', { name: 'Undo import of elsewhere.csv' }).focus()
  await page.keyboard.press('Enter')
  await expect(row.getByRole('button', { name: 'Keep' })).toBeFocused()
  await expectGoodLooks(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(row).toContainText('3 items are in the trash.', { timeout: 20_000 })
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await expect(rows(page)).toHaveCount(0)
})

test('an import asks for the order of dates that could be either, and remembers what values become', async ({
  page,
  project,
}) => {
  await page.goto(project.inbox)
  await choose(page, 'Import…')
  const dialog = page.getByRole('dialog', { name: 'Import feedback' })
  await dialog.getByLabel('Project').selectOption(project.id)
  await dialog.getByLabel('File').setInputFiles({
    name: 'liste.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Betreff;Nachricht;Prio;Bearbeitungsstand;Schulnote;Datum\n' +
        'Lampe;Sie flackert;hoch;erledigt;1;03/04/2024\nTisch;Zu schmal;dringend;wartet auf Kunden;5;06/04/2024\n',
    ),
  })
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByLabel('Field for Schulnote')).toHaveValue('rating')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByLabel('hoch becomes')).toHaveValue('high')
  await expect(dialog.getByLabel('erledigt becomes')).toHaveValue('resolved')
  await expect(dialog.getByLabel('1 becomes')).toHaveValue('1')
  await dialog.getByLabel('Scale').selectOption('school_grade')
  await expect(dialog.getByLabel('1 becomes')).toHaveValue('5')
  await dialog.getByLabel('wartet auf Kunden becomes').selectOption({ label: 'In progress' })
  // Without an order, nothing is validated.
  await dialog.getByRole('button', { name: 'Validate' }).click()
  await expect(dialog.getByLabel('Date order of Datum')).toBeFocused()
  await dialog.getByLabel('Date order of Datum').selectOption('day_first')
  await expectGoodLooks(page)
  await dialog.getByRole('button', { name: 'Validate' }).click()
  await dialog.getByRole('button', { name: 'Import 2 items' }).click({ timeout: 20_000 })
  await expect(dialog.getByText('2 rows imported.')).toBeVisible({ timeout: 20_000 })
  const items = await project.listItems()
  expect(items.map(({ status }) => status).sort()).toEqual(['in_progress', 'resolved'])
})
