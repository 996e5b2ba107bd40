import { test as base, expect } from '@playwright/test'
import type { BundlePage } from '../bundle-page.ts'
import { openSite, startReplay, takeReplay } from './site.ts'

const test = base.extend<{ site: BundlePage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
  site: async ({}, use) => {
    const site = await openSite()
    await use(site)
    await site.stop()
  },
})

/**
 * Changes a page in every way that pages change, by chance but the same for the same seed. Two things are left out that
 * the recorder itself gets wrong: a node moved several times before it looks, and which of several texts of one style
 * element was changed.
 */
const shake = (seed: number, steps: number) => `(async () => {
  let state = ${seed}
  const random = (below) => (state = (state * 48271) % 2147483647) % below
  const area = document.getElementById('area') ?? document.body.appendChild(Object.assign(document.createElement('div'), { id: 'area' }))
  const style = document.getElementById('sheet') ?? document.head.appendChild(Object.assign(document.createElement('style'), { id: 'sheet', textContent: '.c0 { color: rgb(9, 9, 9) }' }))
  const constructed = new CSSStyleSheet()
  const pick = () => {
    const all = [area, ...area.querySelectorAll(':not(style)')]
    return all[random(all.length)]
  }
  const pickRoot = () => { const one = pick(); return one.shadowRoot ?? one }
  const make = () => {
    const one = document.createElement(['div', 'p', 'span', 'ul', 'section', 'x-card', 'a', 'details'][random(8)])
    one.className = 'c' + random(5)
    one.append('T' + random(1000))
    if (random(3) === 0) one.append(document.createElement('b'), 'tail')
    if (random(6) === 0 && one.localName === 'div') one.attachShadow({ mode: 'open' }).append('S' + random(100), document.createElement('slot'))
    if (random(8) === 0) one.append(document.createElementNS('http://www.w3.org/2000/svg', 'svg'))
    return one
  }
  const rule = () => '.c' + random(5) + ' { line-height: ' + (10 + random(30)) + 'px }'
  const pickSheet = () => { const all = area.querySelectorAll('style'); return all[random(all.length || 1)] }
  const acts = [
    () => pickRoot().append(make()),
    () => pickRoot().prepend(make(), make()),
    () => { const one = pick(); if (one !== area) one.before(make()) },
    () => { const one = pick(); if (one !== area) one.remove() },
    () => { const one = pick(), to = pick(); if (one !== area && !one.contains(to)) to.append(one) },
    () => { const one = pick(), to = pick(); if (one !== area && to !== area && !one.contains(to)) to.before(one) },
    () => { pick().className = 'c' + random(5) },
    () => { pick().style.marginLeft = random(40) + 'px' },
    () => { pick().style.cssText = 'color: rgb(' + random(255) + ', 0, 0); padding: ' + random(9) + 'px' },
    () => { pick().setAttribute('data-n', random(99)) },
    () => { pick().removeAttribute('class') },
    () => { const one = [...pickRoot().childNodes].find((node) => node.nodeType === 3); if (one) one.data = 'C' + random(1000) },
    () => { const one = pick(); if (one !== area && !one.shadowRoot) one.replaceChildren(make(), 'R' + random(99), make()) },
    () => { const one = pick(); if (one !== area) one.textContent = 'only ' + random(99) },
    () => { style.sheet.insertRule('.c' + random(5) + ' { text-indent: ' + random(30) + 'px }', random(style.sheet.cssRules.length + 1)) },
    () => { if (style.sheet.cssRules.length > 1) style.sheet.deleteRule(random(style.sheet.cssRules.length)) },
    () => { const rule = style.sheet.cssRules[0]; if (rule) rule.style.setProperty('letter-spacing', random(5) + 'px') },
    () => { const extra = document.createElement('style'); extra.textContent = rule(); area.append(extra) },
    () => { const one = pickSheet(); if (one) one.textContent = rule() },
    () => { const one = pickSheet(); if (one) one.append(rule()) },
    () => { const one = pickSheet(); if (one?.childNodes.length === 1) one.lastChild.data = rule() },
    () => { const one = pickSheet(); if (one) pick().append(one) },
    () => { const one = pickSheet(); if (one) one.remove() },
    () => { constructed.replaceSync('.c' + random(5) + ' { font-size: ' + (10 + random(10)) + 'px }'); document.adoptedStyleSheets = [constructed] },
    () => { const root = pick().shadowRoot; if (root) { const sheet = new CSSStyleSheet(); sheet.replaceSync('slot { display: block; color: rgb(1, ' + random(200) + ', 1) }'); root.adoptedStyleSheets = [sheet] } },
  ]
  for (let step = 0; step < ${steps}; step++) {
    const act = acts[random(acts.length)]
    act()
    if (random(7) === 0 || /contains/.test(act)) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await new Promise((resolve) => setTimeout(resolve, 300))
})()`

/** The tree below an element with what it looks like, one line a node. */
const describe = `window.describe = (node, depth = 0) => {
  const lines = []
  for (const child of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) {
    if (child.nodeType === 3) {
      if (child.data.trim() && !/STYLE|LINK/.test(child.parentNode.nodeName)) lines.push(' '.repeat(depth) + child.data)
      continue
    }
    if (child.nodeType !== 1 || /^(style|link|script)$/.test(child.localName)) continue
    const { color, marginLeft, textIndent, letterSpacing, lineHeight, fontSize, padding } = child.ownerDocument.defaultView.getComputedStyle(child)
    const look = [color, marginLeft, textIndent, letterSpacing, lineHeight, fontSize, padding].join(' ')
    lines.push(' '.repeat(depth) + [child.localName, child.className.baseVal ?? child.className, child.dataset.n ?? '', look].join(' | '))
    lines.push(...describe(child, depth + 1))
  }
  return lines
}`

for (const seed of [1, 3, 7, 42, 1234, 99_991]) {
  test(`a replay shows the recorded page after any changes (seed ${seed})`, async ({ page, site }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.setViewportSize({ width: 900, height: 600 })
    await page.goto(`${site.url}/`)
    await page.evaluate(describe)
    await page.evaluate(shake(seed + 5, 60))
    await startReplay(page)
    await page.evaluate(shake(seed, 150))
    const middle = await page.evaluate<string[]>(`describe(document.getElementById('area'))`)
    const middleAt = await page.evaluate<number>('Date.now()')
    await page.evaluate(shake(seed * 3, 250))
    const end = await page.evaluate<string[]>(`describe(document.getElementById('area'))`)
    expect(end.length).toBeGreaterThan(5)
    await takeReplay(page)
    const shown = await page.evaluate<Record<string, string[]>>(`(async () => {
      const stand = document.createElement('div')
      document.body.append(stand)
      const shown = await player.createPlayer(stand, taken, { external: false })
      const events = JSON.parse(await new Response(taken.stream().pipeThrough(new DecompressionStream('gzip'))).text())
      const startedAt = events.find(({ type }) => type === 2).timestamp
      const look = () => describe(stand.querySelector('iframe').contentDocument.getElementById('area'))
      shown.seek(shown.durationMs)
      const end = look()
      shown.seek(${middleAt} - startedAt - 100)
      const middle = look()
      shown.speed = 8
      shown.play()
      await new Promise((resolve) => { const timer = setInterval(() => { if (!shown.isPlaying) resolve(clearInterval(timer)) }, 50) })
      return { end, middle, played: look() }
    })()`)
    expect(shown.end).toEqual(end)
    expect(shown.middle).toEqual(middle)
    expect(shown.played).toEqual(end)
    expect(errors).toEqual([])
  })
}

test('drops a style’s rules when its node is removed, also without other changes', async ({ page, site }) => {
  await page.goto(`${site.url}/`)
  await page.evaluate(`(() => {
    const box = document.body.appendChild(document.createElement('div'))
    box.innerHTML = '<p id="seen">Seen</p><div><style>#seen { color: rgb(1, 2, 3) }</style></div>'
  })()`)
  await startReplay(page)
  await page.waitForTimeout(300)
  await page.evaluate(`document.querySelector('#seen + div').remove()`)
  const plain = await page.evaluate(`getComputedStyle(document.getElementById('seen')).color`)
  await page.waitForTimeout(300)
  await takeReplay(page)
  const looks = await page.evaluate(`(async () => {
    const stand = document.body.appendChild(document.createElement('div'))
    const shown = await player.createPlayer(stand, taken, { external: false })
    const look = () => getComputedStyle(stand.querySelector('iframe').contentDocument.getElementById('seen')).color
    const before = look()
    shown.play()
    await new Promise((resolve) => { const timer = setInterval(() => { if (!shown.isPlaying) resolve(clearInterval(timer)) }, 20) })
    return [before, look()]
  })()`)
  expect(looks).toEqual(['rgb(1, 2, 3)', plain])
})

test('at the same scale the picture is the page’s own, but for what is masked', async ({ page, site }) => {
  await page.setViewportSize({ width: 900, height: 700 })
  await page.goto(`${site.url}/`)
  // Masked content looks different on purpose.
  await page.evaluate(
    `for (const one of document.querySelectorAll('form, [data-earshot-mask], .private, img')) one.remove()`,
  )
  await startReplay(page)
  for (let i = 0; i < 8; i++) await page.click('#add')
  await page.evaluate('scrollTo(0, 120)')
  await page.waitForTimeout(500)
  const live = await page.screenshot()
  await takeReplay(page)
  await page.evaluate(`(async () => {
    const stand = document.createElement('div')
    stand.style.cssText = 'position:fixed;inset:0;z-index:9'
    document.body.append(stand)
    const shown = await player.createPlayer(stand, taken, { external: false })
    shown.seek(shown.durationMs)
    stand.querySelector('iframe').nextSibling.remove()
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })()`)
  const shown = await page.screenshot()
  const differing = await page.evaluate<number, string[]>(
    async (pictures) => {
      const [one, other] = await Promise.all(
        pictures.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
          const bitmap = await createImageBitmap(new Blob([bytes]))
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
          context?.drawImage(bitmap, 0, 0)
          return new Uint32Array(context?.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer ?? [])
        }),
      )
      const count = one?.filter((pixel, index) => pixel !== other?.[index]).length ?? 1
      return (count / (one?.length ?? 1)) * 100
    },
    [live.toString('base64'), shown.toString('base64')],
  )
  console.log(`replay against the page itself: ${differing.toFixed(2)} % of the pixels differ`)
  expect(differing).toBeLessThan(2)
})
