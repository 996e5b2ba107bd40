import { gunzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { type BundlePage, serveBundles } from '../bundle-page.ts'
import { waitForName } from '../wait-for-name.ts'

const strictPolicy = [
  "default-src 'none'",
  "script-src 'nonce-n' 'strict-dynamic'",
  "style-src 'nonce-n'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
].join('; ')

const body = `<!doctype html>
<html lang="en"><head><title>Shop</title>
<meta name="csrf-token" content="S3CRET-csrf">
<style nonce="n">
  body { font: 16px/1.5 sans-serif; margin: 0; background: #f6f7fb; color: #1c2033 }
  header { background: #24408e; color: white; padding: 16px 24px; position: sticky; top: 0 }
  main { padding: 24px; display: grid; gap: 16px; max-width: 640px }
  .row { display: flex; justify-content: space-between; background: white; padding: 12px; border-radius: 8px }
  input, textarea, select { font: inherit; padding: 8px }
  .price { color: rgb(200, 0, 80); font-weight: 700 }
</style></head>
<body>
<header>Corner Shop</header>
<main>
  <h1>Your basket</h1>
  <a id="link" href="/account?access_token=S3CRET-link&page=2">Account</a>
  <img id="picture" src="/picture.svg" alt="A jar">
  <div id="rows"></div>
  <button id="add">Add a jar</button>
  <form>
    <input id="name" placeholder="Name">
    <input id="password" type="password" placeholder="Password">
    <input id="card" autocomplete="cc-number" placeholder="Card">
    <input id="hidden" type="hidden" value="S3CRET-hidden">
    <textarea id="note"></textarea>
    <select id="country"><option>Norway</option><option selected>Spain</option></select>
    <label><input id="gift" type="checkbox"> A gift</label>
    <div id="rich" contenteditable="true">Rich text</div>
  </form>
  <div data-earshot-mask>S3CRET-masked</div>
  <p class="private">S3CRET-private</p>
  <div id="card-box" data-earshot-mask></div>
  <iframe id="inner" data-earshot-mask></iframe>
</main>
<div id="own"></div>
MODULES
<script nonce="n">
  let count = 0
  const rows = document.getElementById('rows')
  function addRow() {
    const row = document.createElement('div')
    const price = document.createElement('span')
    row.className = 'row'
    price.className = 'price'
    row.append('Jar ' + ++count, price)
    price.textContent = count + '.50'
    rows.append(row)
  }
  document.getElementById('add').onclick = addRow
  addRow()
  const shadow = document.getElementById('card-box').attachShadow({ mode: 'open' })
  shadow.append('S3CRET-shadow')
  const own = document.getElementById('own')
  const ownRoot = own.attachShadow({ mode: 'open' })
  const stage = {
    signal: new AbortController().signal,
    host: own,
    loadTexts: async () => ({ settings: { mask: ['.private', ':::broken'] }, strings: {} }),
  }
</script>
</body></html>`

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80"/></svg>'

/** A small shop whose pages can be remembered and shown. */
export async function openSite(): Promise<BundlePage> {
  return serveBundles(
    {
      replay: 'widget/replay/replay.ts',
      'replay-view': 'widget/replay/view/replay-view.ts',
      player: 'widget/replay/view/player.ts',
    },
    {
      '/': { body },
      '/strict': { body, headers: { 'content-security-policy': strictPolicy } },
      '/empty': { body: '<!doctype html><title>Team</title><div id="stand"></div>MODULES' },
      '/picture.svg': { body: picture, headers: { 'content-type': 'image/svg+xml' } },
    },
  )
}

/** Starts to remember, and waits until it does. */
export async function startReplay(page: Page): Promise<void> {
  await waitForName(page, 'replay')
  await page.evaluate('replay.start(stage)')
  await expect.poll(() => page.evaluate(`document.getElementById('own').hasAttribute('data-earshot-mask')`)).toBe(true)
}

/** What would be sent. */
export async function takeReplay(page: Page): Promise<{ type: string; bytes: number; json: string } | undefined> {
  const taken = await page.evaluate<[string, string] | undefined>(`(async () => {
    const blob = await replay.take()
    window.taken = blob
    if (!blob) return undefined
    const bytes = new Uint8Array(await blob.arrayBuffer())
    return [blob.type, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))]
  })()`)
  if (!taken) return undefined
  const bytes = Buffer.from(taken[1], 'base64')
  const json = taken[0] === 'application/gzip' ? gunzipSync(bytes) : bytes
  return { type: taken[0], bytes: bytes.length, json: json.toString('utf8') }
}
