import type { Page } from '@playwright/test'
import { PNG } from 'pngjs'
import { sendFile } from '#server/testing/uploads.ts'
import { expectGoodLooks } from './looks.ts'
import { expect } from './product.ts'
import { type TeamProject, test } from './team.ts'

const item = (page: Page) => page.getByRole('region', { name: 'Item', exact: true })

/** A white picture, as a visitor's screenshot. */
function makePicture(): Buffer {
  const picture = new PNG({ width: 600, height: 400 })
  picture.data.fill(255)
  return PNG.sync.write(picture)
}

async function sendScreenshot(project: TeamProject): Promise<string> {
  const server = { url: process.env.EARSHOT_URL ?? '' }
  const file = { kind: 'screenshot', bytes: makePicture(), name: 'cart.png' } as const
  const id = await sendFile(server, project.widgetKey, file)
  return project.send({ message: 'The total is wrong', attachments: [{ id, kind: 'screenshot', name: 'cart.png' }] })
}

/** How many pixels of a picture are not white, as the page shows it. */
async function countInk(page: Page, name: string): Promise<number> {
  const url = await item(page).getByRole('img', { name, exact: true }).getAttribute('src')
  const { data } = PNG.sync.read(await (await page.request.get(url ?? '')).body())
  let ink = 0
  for (let at = 0; at < data.length; at += 4) if (data[at + 1] !== 255) ink += 1
  return ink
}

test('a member draws on a received screenshot; the result is a new picture of the item', async ({ page, project }) => {
  const id = await sendScreenshot(project)
  await page.goto(`${project.inbox}&item=${id}`)
  const original = item(page).getByRole('button', { name: 'cart.png' })
  await original.click()
  await page.getByRole('dialog', { name: 'cart.png' }).getByRole('button', { name: 'Annotate' }).click()
  const editor = page.getByRole('dialog', { name: 'Annotate the screenshot' })
  await expect(editor.getByRole('application')).toBeFocused()
  await expectGoodLooks(page)

  // Drawn by pointer, undone by key, placed by key. Keys of the inbox mean nothing here: e would archive the item.
  const canvas = await editor.locator('canvas').boundingBox()
  if (!canvas) throw new Error('the picture is not shown')
  await page.mouse.move(canvas.x + 40, canvas.y + 40)
  await page.mouse.down()
  await page.mouse.move(canvas.x + 160, canvas.y + 120, { steps: 4 })
  await page.mouse.up()
  await expect(editor.getByRole('status')).toContainText('Arrow 1/1')
  await page.keyboard.press('Control+z')
  await expect(editor.getByRole('button', { name: 'Undo' })).toBeDisabled()
  await editor.getByRole('button', { name: 'Box' }).click()
  await editor.getByRole('application').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('e')
  await expect(editor.getByRole('status')).toContainText('Box 1/1')
  await editor.getByRole('button', { name: 'Attach' }).click()

  await expect(page.getByText('Annotated picture attached', { exact: true })).toBeVisible()
  await expect(original).toBeFocused()
  const annotated = item(page).getByRole('img', { name: 'cart-annotated' })
  await expect(annotated).toBeVisible()
  await expect(item(page).getByText('Annotated by Grace Hopper')).toBeVisible()
  expect(await countInk(page, 'cart-annotated')).toBeGreaterThan(100)
  expect(await countInk(page, 'cart.png')).toBe(0)
  expect((await project.getItem(id)).location).toBe('inbox')
  await expectGoodLooks(page)

  // A second look leaves by Escape, twice when there are marks, and attaches nothing.
  await item(page).getByRole('button', { name: 'cart-annotated' }).click()
  await page.getByRole('dialog', { name: 'cart-annotated' }).getByRole('button', { name: 'Annotate' }).click()
  await expect(editor.getByRole('application')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(editor.getByRole('button', { name: 'Discard' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(editor).toBeHidden()
  await expect(item(page).getByRole('img')).toHaveCount(2)

  await item(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete picture' }).click()
  await expect(annotated).toBeHidden()
  await expect(item(page).getByRole('img', { name: 'cart.png' })).toBeVisible()
})
