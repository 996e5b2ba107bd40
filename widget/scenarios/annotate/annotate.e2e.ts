import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { listBarriers } from '../../../e2e/looks.ts'
import { strings } from '../../locales/en.ts'
import { type BundlePage, serveBundles } from '../bundle-page.ts'
import { waitForName } from '../wait-for-name.ts'

/** Buttons look as in the panel, whose sheet is in the same root. */
// The editor borrows the looks of buttons from the panel, in whose root it is shown.
const panelCss = ['panel', 'controls']
  .map((part) => readFileSync(new URL(`../../panel/${part}.css`, import.meta.url), 'utf8'))
  .join('')

/** A page with a shadow root as the loader makes it, a strict policy, and a picture with fine stripes on the left. */
const page = {
  headers: {
    'content-security-policy':
      "default-src 'none'; script-src 'self' 'nonce-n'; style-src 'none'; require-trusted-types-for 'script'",
  },
  body: `<!doctype html><html lang="en"><title>Editor</title><main><h1>A page</h1></main>MODULES
  <script nonce="n">
    const host = document.createElement('div')
    document.documentElement.append(host)
    const root = host.attachShadow({ mode: 'open' })
    window.stage = {
      root, host, locale: 'en', theme: 'auto', onKey: undefined,
      addStyles(css) {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(css)
        root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
      },
    }
    window.stage.addStyles(${JSON.stringify(panelCss)})
    window.addEventListener('keydown', (event) => {
      if (event.target !== host) return
      event.stopImmediatePropagation()
      window.stage.onKey?.(event)
    }, true)
    window.open_ = (strings, width = 1000, height = 600) => {
      const picture = document.createElement('canvas')
      picture.width = width
      picture.height = height
      const context = picture.getContext('2d')
      context.fillStyle = '#fff'
      context.fillRect(0, 0, width, height)
      context.fillStyle = '#000'
      for (let x = 0; x < width / 2; x += 4) context.fillRect(x, 0, 2, height)
      window.result = undefined
      annotate.annotate(window.stage, picture, strings).then((canvas) => { window.result = canvas ?? 'cancelled' })
    }
  </script></html>`,
}

let served: BundlePage
test.beforeAll(async () => {
  served = await serveBundles({ annotate: 'widget/annotate/annotate.ts' }, { '/': page })
})
test.afterAll(() => served.stop())

class Editor {
  readonly page: Page
  readonly dialog: Locator
  readonly canvas: Locator

  constructor(page: Page) {
    this.page = page
    this.dialog = page.getByRole('dialog', { name: strings.editor })
    this.canvas = page.getByRole('application')
  }

  async open(width?: number, height?: number): Promise<void> {
    await this.page.goto(served.url)
    await waitForName(this.page, 'annotate')
    await this.page.evaluate(([texts, ...size]) => Reflect.get(window, 'open_')(texts, ...size), [
      strings,
      width,
      height,
    ] as const)
    await expect(this.canvas).toBeFocused()
  }

  press(name: string): Promise<void> {
    return this.dialog.getByRole('button', { name, exact: true }).click()
  }

  /** Draws from one place of the canvas to another, in parts of its size. */
  async draw([fromX, fromY]: [number, number], [toX, toY]: [number, number]): Promise<void> {
    const box = await this.canvas.boundingBox()
    if (!box) throw new Error('the canvas is not shown')
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
    await this.page.mouse.move(...at(fromX, fromY))
    await this.page.mouse.down()
    await this.page.mouse.move(...at((fromX + toX) / 2, (fromY + toY) / 2))
    await this.page.mouse.move(...at(toX, toY))
    await this.page.mouse.up()
  }

  async save(): Promise<void> {
    await this.press(strings.save)
    await expect(this.dialog).toHaveCount(0)
  }

  /** Pixels of the result: its size, share of each asked colour, and spread of brightness, of a part of it. */
  read(part: [number, number, number, number] = [0, 0, 1, 1]) {
    return this.page.evaluate((within) => {
      const canvas = Reflect.get(window, 'result') as HTMLCanvasElement
      const [left, top, right, bottom] = within
      const width = Math.round(canvas.width * (right - left))
      const height = Math.round(canvas.height * (bottom - top))
      const x = Math.round(canvas.width * left)
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      const { data } = context.getImageData(x, canvas.height * top, width, height)
      let [red, black, sum, squares] = [0, 0, 0, 0]
      for (let at = 0; at < data.length; at += 4) {
        const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3)
        if (r > 180 && g < 120 && b < 120) red++
        if (r + g + b === 0) black++
        sum += g
        squares += g * g
      }
      const count = data.length / 4
      const deviation = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
      return { width: canvas.width, height: canvas.height, red: red / count, black: black / count, deviation }
    }, part)
  }
}

const edit = test.extend<{ editor: Editor }>({
  editor: async ({ page }, use) => {
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (/Security.Policy|Trusted/i.test(message.text())) complaints.push(message.text())
    })
    await use(new Editor(page))
    expect(complaints).toEqual([])
  },
})

edit.describe('drawing on a picture', () => {
  for (const tool of [strings.pen, strings.arrow, strings.box, strings.highlight]) {
    edit(`${tool}: burnt in with its colour`, async ({ editor }) => {
      await editor.open()
      await editor.press(tool)
      await editor.draw([0.6, 0.3], [0.9, 0.7])
      await editor.save()
      const { red, width, height } = await editor.read([0.5, 0.2, 1, 0.8])
      expect([width, height]).toEqual([1000, 600])
      // A highlight lets through what it covers.
      if (tool === strings.highlight) expect((await editor.read([0.7, 0.4, 0.8, 0.6])).deviation).toBeLessThan(2)
      else expect(red).toBeGreaterThan(0.004)
    })
  }

  edit('redact: no covered pixel is left', async ({ editor }) => {
    await editor.open()
    await editor.press(strings.blackout)
    await editor.draw([0.15, 0.25], [0.45, 0.75])
    await editor.save()
    expect((await editor.read([0.2, 0.35, 0.4, 0.65])).black).toBe(1)
  })

  edit('blur: fine detail is unreadable, and the rest unchanged', async ({ editor }) => {
    await editor.open()
    await editor.press(strings.blur)
    await editor.draw([0.15, 0.25], [0.45, 0.75])
    await editor.save()
    expect((await editor.read([0.2, 0.35, 0.4, 0.65])).deviation).toBeLessThan(20)
    expect((await editor.read([0, 0, 0.1, 0.2])).deviation).toBeGreaterThan(120)
  })

  edit('crop: applied to the result, and removed by undo', async ({ editor }) => {
    await editor.open()
    await editor.press(strings.crop)
    await editor.draw([0.3, 0.3], [0.6, 0.6])
    await editor.draw([0.25, 0.25], [0.5, 0.5])
    await editor.save()
    const cropped = await editor.read()
    expect(cropped.width).toBeGreaterThan(100)
    expect(cropped.width).toBeLessThan(400)
    await editor.open()
    await editor.press(strings.crop)
    await editor.draw([0.3, 0.3], [0.6, 0.6])
    await editor.press(strings.undo)
    await editor.save()
    expect((await editor.read()).width).toBe(1000)
  })

  edit('text: typed in place, changed later, emptied away', async ({ editor, page }) => {
    await editor.open()
    await editor.press(strings.text)
    const box = await editor.canvas.boundingBox()
    await page.mouse.click((box?.width ?? 0) * 0.7, (box?.y ?? 0) + (box?.height ?? 0) * 0.4)
    const field = editor.dialog.getByRole('textbox', { name: strings.text })
    await expect(field).toBeFocused()
    await page.keyboard.type('Here: שלום')
    await page.keyboard.press('Enter')
    await expect(field).toHaveCount(0)
    await editor.save()
    expect((await editor.read([0.6, 0.2, 1, 0.6])).red).toBeGreaterThan(0.002)
    await editor.open()
    await editor.press(strings.text)
    await editor.canvas.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await editor.save()
    expect((await editor.read()).red).toBe(0)
  })

  edit('a mark is moved and resized with the mouse', async ({ editor }) => {
    await editor.open()
    await editor.press(strings.blackout)
    await editor.draw([0.15, 0.3], [0.25, 0.4])
    // Grabbed within, moved to the right; then by its corner, made larger.
    await editor.draw([0.2, 0.35], [0.65, 0.55])
    await editor.draw([0.7, 0.6], [0.85, 0.8])
    await editor.save()
    expect((await editor.read([0.64, 0.55, 0.8, 0.7])).black).toBe(1)
    expect((await editor.read([0.06, 0.3, 0.16, 0.4])).black).toBeLessThan(0.6)
  })

  edit('undo and redo, by button and by keyboard', async ({ editor, page }) => {
    await editor.open()
    await editor.press(strings.box)
    await editor.draw([0.6, 0.2], [0.8, 0.4])
    await editor.draw([0.6, 0.6], [0.8, 0.8])
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+Shift+z')
    await editor.press(strings.undo)
    await editor.press(strings.redo)
    await editor.save()
    expect((await editor.read([0.55, 0.15, 0.85, 0.45])).red).toBeGreaterThan(0.01)
    expect((await editor.read([0.55, 0.55, 0.85, 0.85])).red).toBe(0)
  })

  edit('complete by keyboard', async ({ editor, page }) => {
    await editor.open()
    const status = editor.dialog.locator('output')
    // The arrow is chosen to begin with.
    await page.keyboard.press('Enter')
    await expect(status).toHaveText(/^Arrow 1\/1/)
    await editor.dialog.getByRole('button', { name: strings.blackout }).focus()
    await page.keyboard.press('Enter')
    await editor.canvas.focus()
    await page.keyboard.press('Enter')
    await expect(status).toHaveText(/^Redact 2\/2/)
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft')
    for (let step = 0; step < 5; step++) await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Shift+Tab')
    await expect(status).toHaveText(/^Arrow 1\/2/)
    await page.keyboard.press('Delete')
    await expect(status).toHaveText(strings.editorHint)
    await page.keyboard.press('Tab')
    await expect(status).toHaveText(/^Redact 1\/1/)
    await page.keyboard.press('+')
    await page.keyboard.press('-')
    await editor.dialog.getByRole('button', { name: strings.save }).focus()
    await page.keyboard.press('Enter')
    await expect(editor.dialog).toHaveCount(0)
    const { red, black } = await editor.read()
    expect(red).toBe(0)
    expect(black).toBeGreaterThan(0.26)
    expect((await editor.read([0.36, 0.45, 0.44, 0.55])).black).toBe(1)
  })

  edit('the marks are walked through in both directions, and left by the same key', async ({ editor, page }) => {
    await editor.open()
    const status = editor.dialog.locator('output')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Tab')
    await expect(status).toHaveText(/^Arrow 1\/2/)
    await page.keyboard.press('Tab')
    await expect(status).toHaveText(/^Arrow 2\/2/)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await expect(editor.dialog.getByRole('button', { name: 'Black' })).toBeFocused()
  })

  edit('a colour has a name, and colours the selected mark', async ({ editor }) => {
    await editor.open()
    await editor.press(strings.box)
    await editor.draw([0.6, 0.2], [0.8, 0.4])
    await editor.press('Blue')
    await editor.save()
    expect((await editor.read()).red).toBe(0)
    await editor.open()
    await editor.press(strings.box)
    await editor.draw([0.6, 0.2], [0.8, 0.4])
    await editor.press('Blue')
    await editor.press(strings.undo)
    await editor.save()
    expect((await editor.read()).red).toBeGreaterThan(0.002)
  })

  edit('Space and a drag move the view and draw nothing', async ({ editor, page }) => {
    await editor.open(1000, 6000)
    await page.keyboard.press('Space')
    await editor.draw([0.5, 0.8], [0.5, 0.3])
    expect(await editor.canvas.evaluate((area) => area.scrollTop)).toBeGreaterThan(200)
    await editor.save()
    expect((await editor.read([0.5, 0, 1, 1])).deviation).toBe(0)
  })

  edit('cancelling discards marks only when confirmed', async ({ editor, page }) => {
    await editor.open()
    await page.keyboard.press('Escape')
    await expect(editor.dialog).toHaveCount(0)
    expect(await page.evaluate(() => Reflect.get(window, 'result'))).toBe('cancelled')
    await editor.open()
    await editor.draw([0.6, 0.2], [0.8, 0.4])
    await page.keyboard.press('Escape')
    await expect(editor.dialog.getByRole('button', { name: strings.discard })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(editor.dialog).toHaveCount(0)
  })

  edit('a very tall picture: zoomed by wheel, drawn where it is seen', async ({ editor, page }) => {
    await editor.open(800, 12_000)
    await page.mouse.move(640, 400)
    await page.keyboard.down('Control')
    for (let turn = 0; turn < 2; turn++) await page.mouse.wheel(0, -120)
    await page.keyboard.up('Control')
    await page.mouse.wheel(0, 300)
    await editor.press(strings.blackout)
    await editor.draw([0.45, 0.4], [0.55, 0.6])
    await editor.save()
    const { black, height } = await editor.read()
    expect(height).toBe(12_000)
    expect(black).toBeGreaterThan(0.2501)
    expect(black).toBeLessThan(0.26)
  })

  for (const look of ['light', 'dark', 'narrow', 'right to left'] as const) {
    edit(`accessible and whole: ${look}`, async ({ editor, page }) => {
      if (look === 'narrow') await page.setViewportSize({ width: 320, height: 640 })
      await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' })
      await editor.open()
      if (look === 'right to left') {
        await page.keyboard.press('Escape')
        await page.evaluate(() => {
          Reflect.get(window, 'stage').locale = 'he'
        })
        await page.evaluate((texts) => Reflect.get(window, 'open_')(texts), strings)
        await expect(editor.dialog).toHaveAttribute('dir', 'rtl')
      }
      await editor.draw([0.3, 0.3], [0.6, 0.6])
      for (const button of await editor.dialog.getByRole('button').all()) {
        const box = await button.boundingBox()
        expect(box?.width).toBeGreaterThanOrEqual(40)
        expect(box?.height).toBeGreaterThanOrEqual(40)
        expect(box?.x).toBeGreaterThanOrEqual(0)
      }
      const canvas = await editor.canvas.boundingBox()
      expect(canvas?.height).toBeGreaterThan(200)
      expect(await listBarriers(page)).toEqual([])
    })
  }
})

test.describe('on a screen of three device pixels to one of CSS', () => {
  test.use({ deviceScaleFactor: 3, viewport: { width: 390, height: 760 } })

  test('lines are at least four CSS pixels wide', async ({ page }) => {
    const editor = new Editor(page)
    await editor.open(1170, 1800)
    await editor.press(strings.box)
    await editor.draw([0.6, 0.3], [0.9, 0.6])
    await editor.save()
    const widest = await page.evaluate(() => {
      const canvas = Reflect.get(window, 'result') as HTMLCanvasElement
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      // One row through the middle of the box crosses its two upright lines.
      const { data } = context.getImageData(canvas.width / 2, canvas.height * 0.45, canvas.width / 2, 1)
      let [run, most] = [0, 0]
      for (let at = 0; at < data.length; at += 4) {
        const [r = 0, g = 0] = data.subarray(at, at + 2)
        run = r > 180 && g < 120 ? run + 1 : 0
        most = Math.max(most, run)
      }
      return most
    })
    expect(widest / 3).toBeGreaterThanOrEqual(4)
  })
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 760 } })

  test('one finger draws, two fingers zoom', async ({ page }) => {
    const editor = new Editor(page)
    await editor.open()
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: [number, number][]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      })
    await editor.dialog.getByRole('button', { name: strings.blackout }).tap()
    await touch('touchStart', [[60, 420]])
    await touch('touchMove', [[120, 450]])
    await touch('touchMove', [[180, 480]])
    await touch('touchEnd', [])
    await expect(editor.dialog.locator('output')).toHaveText(/^Redact 1\/1/)
    await touch('touchStart', [[150, 400]])
    await touch('touchStart', [
      [150, 400],
      [240, 500],
    ])
    await touch('touchMove', [
      [100, 350],
      [290, 550],
    ])
    await touch('touchEnd', [])
    // The two fingers have drawn nothing.
    await expect(editor.dialog.locator('output')).not.toHaveText(/2\/2/)
    await editor.dialog.getByRole('button', { name: strings.save }).tap()
    await expect(editor.dialog).toHaveCount(0)
    expect((await editor.read()).black).toBeGreaterThan(0.26)
  })
})
