import { randomUUID } from 'node:crypto'
import { get, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  defaultWidgetSettings,
  type LoaderSettings,
  type PanelSettings,
  type WidgetSettings,
} from '#contract/widget-settings.ts'
import { createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
/** Another process on the same database, as behind a load balancer. */
let second: TestServer
let organizationId: string

beforeAll(async () => {
  server = await startTestServer()
  second = await startTestServer({}, { url: server.databaseUrl })
  organizationId = (await createUser(server.client)).organizationId ?? ''
})

afterAll(async () => {
  await second.stop()
  await server.stop()
})

async function makeWidget(settings: Partial<WidgetSettings> = {}, domain = `site-${randomUUID()}.example`) {
  const project = await createProject(server.client, { organizationId, domain })
  await publish(project.widgetKey, settings)
  return { ...project, key: project.widgetKey }
}

function publish(key: string, settings: Partial<WidgetSettings>) {
  return server.client.query('update widgets set settings = $2 where key = $1', [key, settings])
}

const keepDraft = (key: string, settings: WidgetSettings, token: string) =>
  server.client.query('update widgets set draft = $2, draft_token = $3 where key = $1', [key, settings, token])

async function load(key: string, query = '', from = server, language = 'en-GB') {
  const reply = await fetch(`${from.url}/e/${key}.js${query}`, { headers: { 'accept-language': language } })
  const code = await reply.text()
  return { reply, code, settings: readSettings(code) }
}

interface Packed {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** As browsers ask on HTTPS; the answer is not decompressed. */
function loadPacked(file: string, headers: Readonly<Record<string, string>> = {}): Promise<Packed> {
  const path = `/e/${file.includes('.') ? file : `${file}.js`}`
  return new Promise((resolve, reject) => {
    get(server.url + path, { headers: { 'accept-encoding': 'gzip, deflate, br', ...headers } }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) }),
      )
    }).on('error', reject)
  })
}

/** Headers without those of one answer. */
function forEveryone({ headers: { date: _date, 'x-request-id': _id, ...headers } }: Packed): IncomingHttpHeaders {
  return headers
}

/** The settings that the server wrote into the loader: the one JSON object in it that names its key. */
function readSettings(code: string): LoaderSettings {
  const start = code.indexOf('{"key":"wk_')
  for (let end = code.indexOf('}', start); end > 0; end = code.indexOf('}', end + 1)) {
    try {
      return JSON.parse(code.slice(start, end + 1)) as LoaderSettings
    } catch {}
  }
  throw new Error('the loader holds no settings')
}

interface TextsModule {
  settings: PanelSettings
  strings: Record<string, string>
}

async function loadTexts(key: string, locale: string, version: string, from = server) {
  const reply = await fetch(`${from.url}/e/${key}/${locale}-${version}.js`)
  const code = await reply.text()
  const module = reply.ok
    ? ((await import(`data:text/javascript,${encodeURIComponent(code)}`)) as TextsModule)
    : undefined
  return { reply, code, module }
}

const immutable = 'public, max-age=31536000, immutable'

describe('GET /e/{widgetKey}.js', () => {
  it('serves code and settings in one cacheable answer', async () => {
    const { key, domain } = await makeWidget()
    const { reply, code, settings } = await load(key)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(reply.headers.get('cache-control')).toBe(
      'public, max-age=5, stale-while-revalidate=86400, stale-if-error=604800',
    )
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(settings).toMatchObject({ key, build: expect.any(String) })
    for (const name of ['storage', 'console', 'network']) expect(settings).not.toHaveProperty(name)
    expect(settings.hosts[0]).toBe(domain)
    expect(code).not.toContain('__EARSHOT_SETTINGS__')
    const again = await fetch(`${server.url}/e/${key}.js`, {
      headers: { 'if-none-match': reply.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('carries few headers, as stages and texts do: no policy of our pages, but what keeps scripts safe', async () => {
    const { key } = await makeWidget()
    const { reply, settings } = await load(key)
    const panel = await fetch(`${server.url}/e/a/${settings.build}/panel.js`)
    const texts = (await loadTexts(key, 'en', settings.version)).reply
    for (const { headers } of [reply, panel, texts]) {
      const bytes = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
      expect(bytes, JSON.stringify([...headers])).toBeLessThan(600)
      expect(headers.get('content-security-policy')).toBeNull()
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    }
  })

  it('is compressed for those who take Brotli', async () => {
    const { key } = await makeWidget()
    const packed = await loadPacked(key)
    expect(packed.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(packed.body).toString()).toBe((await load(key)).code)
  })

  describe('asked again, as browsers ask', () => {
    it('answers the same bytes and headers, with a request id of its own', async () => {
      const { key } = await makeWidget()
      const [first, second] = [await loadPacked(key), await loadPacked(key)]
      expect(second.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
      expect(forEveryone(second)).toEqual(forEveryone(first))
      expect(second.body.equals(first.body)).toBe(true)
      const changed = { 'if-none-match': first.headers.etag ?? '' }
      const [third, fourth] = [await loadPacked(key, changed), await loadPacked(key, changed)]
      expect([third.status, third.body.length]).toEqual([304, 0])
      expect(forEveryone(fourth)).toEqual(forEveryone(third))
      expect([fourth.status, fourth.body.length]).toEqual([304, 0])
      expect((await loadPacked(key, { 'if-none-match': 'W/"another"' })).status).toBe(200)
    })

    it('keeps languages and widgets apart', async () => {
      const widgets = [await makeWidget(), await makeWidget()]
      const ask = (key: string, language: string) => loadPacked(key, { 'accept-language': language })
      for (const language of ['de-DE', 'ar', 'de-DE', 'ar']) {
        for (const { key } of widgets) {
          const settings = readSettings(brotliDecompressSync((await ask(key, language)).body).toString())
          // German has the word of the loader's own code.
          expect([settings.key, settings.label]).toEqual([key, language === 'ar' ? expect.any(String) : undefined])
        }
      }
    })

    it('shows changed settings, and nothing of an archived project', async () => {
      const { id, key } = await makeWidget({ color: '#0b6bcb' })
      const read = async () => brotliDecompressSync((await loadPacked(key)).body).toString()
      for (let turn = 0; turn < 2; turn += 1) expect(await read()).toContain('#0b6bcb')
      await publish(key, { color: '#b3261e' })
      await expect.poll(read).toContain('#b3261e')
      await server.client.query('update projects set archived_at = now() where id = $1', [id])
      await expect.poll(async () => (await loadPacked(key)).body.toString()).toContain('is archived')
    })

    it('answers a draft by its name', async () => {
      const { key } = await makeWidget({ color: '#0b6bcb' })
      for (let turn = 0; turn < 2; turn += 1) await loadPacked(key)
      const token = 'd'.repeat(22)
      await keepDraft(key, { ...defaultWidgetSettings, color: '#b3261e' }, token)
      expect(brotliDecompressSync((await loadPacked(`${key}.js?draft=${token}`)).body).toString()).toContain('#b3261e')
    })
  })

  it('names every host of the project', async () => {
    const { id, key, domain } = await makeWidget()
    await server.client.query(`update projects set extra_origins = '{other.example,third.example}' where id = $1`, [id])
    await expect
      .poll(async () => (await load(key)).settings.hosts)
      .toEqual(expect.arrayContaining([domain, 'other.example', 'third.example']))
  })

  it('carries what the page must know before any click, and nothing else', async () => {
    const { key } = await makeWidget({
      theme: 'dark',
      locale: 'de',
      replay: true,
      privacy: { storage: false, console: false, network: false, mask: ['.secret'] },
      launcher: { kind: 'custom', position: 'top-left', offset: 8 },
      contactEmail: 'help@example.com',
    })
    const { settings, code } = await load(key)
    expect(settings).toMatchObject({
      theme: 'dark',
      locale: 'de',
      replay: true,
      style: 'display:none',
      storage: false,
      console: false,
      network: false,
    })
    expect(code).not.toContain('.secret')
    expect(code).not.toContain('help@example.com')
  })

  it('says the button in own words, by language', async () => {
    const { key } = await makeWidget({ texts: { en: { label: 'Tell us' }, de: { label: 'Sagen Sie es <uns>' } } })
    expect((await load(key)).settings).toMatchObject({ label: 'Tell us' })
    const { settings, code, reply } = await load(key, '', server, 'de-AT,en;q=0.5')
    expect(settings).toMatchObject({ label: 'Sagen Sie es <uns>' })
    expect(reply.headers.get('vary')).toContain('accept-language')
    // Wherever this code may be inlined, it does not end the element.
    expect(code).not.toContain('<uns>')
  })

  it('serves the stages of the named build, cacheable forever', async () => {
    const { key } = await makeWidget()
    const { settings } = await load(key)
    const reply = await fetch(`${server.url}/e/a/${settings.build}/panel.js`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe(immutable)
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    for (const path of [
      'manifest.json',
      'loader.js',
      `${settings.build}/../manifest.json`,
      `${settings.build}/nothing.js`,
    ]) {
      expect((await fetch(`${server.url}/e/a/${path}`)).status, path).toBe(404)
    }
  })

  it('follows changed settings, hosts and secrets on every server within five seconds', async () => {
    const { id, key } = await makeWidget()
    await load(key)
    await load(key, '', second)
    const before = (await load(key, '', second)).settings
    await publish(key, { color: '#00aa55' })
    await server.client.query(`update projects set extra_origins = '{late.example}' where id = $1`, [id])
    for (const each of [server, second]) {
      await expect
        .poll(async () => (await load(key, '', each)).settings, { timeout: 5_000 })
        .toMatchObject({ hosts: expect.arrayContaining(['late.example']) })
      const { settings } = await load(key, '', each)
      expect(settings.version).not.toBe(before.version)
    }
    expect((await load(key)).settings).toEqual(
      expect.objectContaining({ version: (await load(key, '', second)).settings.version }),
    )
    await server.client.query(`update projects set domain = 'after.example' where id = $1`, [id])
    await expect
      .poll(async () => (await load(key, '', second)).settings.hosts, { timeout: 5_000 })
      .toContain('after.example')
  })

  it('is gone from every server when the project is', async () => {
    const { id, key } = await makeWidget()
    await load(key, '', second)
    await server.client.query('delete from projects where id = $1', [id])
    await expect.poll(async () => (await fetch(`${second.url}/e/${key}.js`)).status, { timeout: 5_000 }).toBe(404)
  })

  it('notes that a page found it, but not that we looked ourselves', async () => {
    const seen = async (key: string) =>
      (await server.client.query('select last_loaded_at from widgets where key = $1', [key])).rows[0]?.last_loaded_at
    const [own, theirs] = [await makeWidget(), await makeWidget()]
    await fetch(`${server.url}/e/${own.key}.js?own`)
    await load(theirs.key)
    await expect.poll(() => seen(theirs.key), { timeout: 4_000 }).toBeInstanceOf(Date)
    expect(await seen(own.key)).toBeNull()
  })

  it.each(['wk_AAAAAAAAAAAAAAAAAAAAAA', 'nonsense', '%00', 'a'.repeat(300)])(
    'does not break a page whose key is %s',
    async (key) => {
      const reply = await fetch(`${server.url}/e/${key}.js`)
      expect(reply.status).toBe(404)
      expect(await reply.text()).toMatch(/^console\.warn\(/)
    },
  )
})

describe('GET /e/{widgetKey}.js?draft={token}', () => {
  const token = 'AbcdefghijklmnopqrstuV'

  it('shows the draft to who knows its name, and keeps it out of caches', async () => {
    const { key } = await makeWidget({ theme: 'light' })
    await keepDraft(key, { ...defaultWidgetSettings, theme: 'dark', radius: 3, locale: 'fr' }, token)
    const { reply, settings } = await load(key, `?draft=${token}`)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(settings).toMatchObject({ theme: 'dark', locale: 'fr' })
    const { reply: textsReply, module } = await loadTexts(key, 'fr', settings.version)
    expect(textsReply.headers.get('cache-control')).toBe('no-store')
    expect(module?.settings.radius).toBe(3)
    expect((await load(key)).settings).toMatchObject({ theme: 'light' })
  })

  it('works on our own host, which the project need not name', async () => {
    const { key } = await makeWidget()
    await keepDraft(key, defaultWidgetSettings, token)
    expect((await load(key, `?draft=${token}`)).settings.hosts).toContain(new URL(server.url).hostname)
  })

  it.each(['', 'wrong', 'AbcdefghijklmnopqrstuW', '%00', 'x'.repeat(3000)])('tells %j nothing', async (wrong) => {
    const { key } = await makeWidget()
    await keepDraft(key, { ...defaultWidgetSettings, theme: 'dark' }, token)
    const reply = await fetch(`${server.url}/e/${key}.js?draft=${wrong}`)
    expect(await reply.text()).not.toContain('"theme":"dark"')
    expect(reply.status).toBeLessThan(500)
  })
})

describe('GET /e/{widgetKey}/{locale}-{version}.js', () => {
  it('serves panel settings and texts under the loader’s name, cacheable forever', async () => {
    const { key } = await makeWidget({
      color: '#ffee00',
      radius: 0,
      types: ['bug'],
      rating: 'nps',
      fields: [{ id: 'plan', kind: 'text', label: 'Plan', required: true }],
      consent: { text: 'Fine </script>', required: true },
      privacy: { storage: true, console: true, network: true, mask: ['.card'] },
      greeting: 'Hello from the team',
      teamPicture: 'data:image/png;base64,iVBORw0KGgo=',
    })
    const { settings } = await load(key)
    const { reply, module, code } = await loadTexts(key, 'en', settings.version)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe(immutable)
    expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(code).not.toContain('</script>')
    expect(module?.settings).toMatchObject({
      radius: 0,
      types: ['bug'],
      rating: 'nps',
      fields: [{ id: 'plan', label: 'Plan' }],
      consent: { text: 'Fine </script>', required: true },
      mask: ['.card'],
      greeting: 'Hello from the team',
      teamPicture: 'data:image/png;base64,iVBORw0KGgo=',
      colors: { fill: '#ffee00', ink: '#000' },
      // Missing columns have their defaults.
      email: 'optional',
    })
    expect(module?.strings.send).toBe('Send feedback')
  })

  it('puts own words before ours, in their language only, and English where a language lacks one', async () => {
    const { key } = await makeWidget({ texts: { de: { title: 'Nur wir' }, en: { title: 'Just us' } } })
    const { settings } = await load(key)
    const german = (await loadTexts(key, 'de', settings.version)).module?.strings
    const english = (await loadTexts(key, 'en', settings.version)).module?.strings
    expect(german?.title).toBe('Nur wir')
    expect(english?.title).toBe('Just us')
    expect(Object.keys(german ?? {}).sort()).toEqual(Object.keys(english ?? {}).sort())
  })

  it('speaks English to those whose language it does not', async () => {
    const { key } = await makeWidget()
    const { settings } = await load(key)
    expect((await loadTexts(key, 'fi', settings.version)).module?.strings.send).toBe('Send feedback')
  })

  it('gives an older loader what is true now, and no cache keeps it under that name', async () => {
    const { key } = await makeWidget({ radius: 1 })
    const old = (await load(key)).settings.version
    await publish(key, { radius: 2 })
    await expect.poll(async () => (await load(key)).settings.version).not.toBe(old)
    const { reply, module } = await loadTexts(key, 'en', old)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(module?.settings.radius).toBe(2)
  })

  it('has one name on every server', async () => {
    const { key } = await makeWidget({ radius: 7 })
    const { version } = (await load(key)).settings
    const { reply } = await loadTexts(key, 'en', version, second)
    expect(reply.headers.get('cache-control')).toBe(immutable)
  })

  it.each(['en-.js', 'en.js', 'x-deadbeef.js', 'en-deadbeef', '..-deadbeef.js', '%00-deadbeef.js'])(
    'answers %s without breaking anything',
    async (file) => {
      const { key } = await makeWidget()
      const reply = await fetch(`${server.url}/e/${key}/${file}`)
      expect(reply.status).toBe(404)
    },
  )
})

describe('the widget of the landing page', () => {
  it('is served without a project, for our own host only, and keeps nothing in the browser', async () => {
    const { settings } = await load('wk_demo')
    expect(settings).toMatchObject({ hosts: [new URL(server.url).hostname], storage: false, locale: 'en' })
    const { reply, module } = await loadTexts('wk_demo', 'en', settings.version)
    expect(reply.headers.get('cache-control')).toBe(immutable)
    expect(module?.settings.greeting).toContain('demo')
  })

  it('takes nothing: submissions and uploads under its key are refused', async () => {
    const submission = { id: crypto.randomUUID(), type: 'idea', message: 'Hi', page: { url: server.url } }
    expect((await server.call('/e/wk_demo/submissions', { method: 'POST', body: submission })).status).toBe(404)
    const upload = await fetch(`${server.url}/e/wk_demo/uploads`, {
      method: 'POST',
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': `id ${btoa(crypto.randomUUID())}` },
    })
    expect(upload.status).toBe(404)
  })
})

describe('GET /e/preview', () => {
  it('may be framed by our own pages only, and runs nothing but our own code', async () => {
    const reply = await fetch(`${server.url}/e/preview`)
    expect(reply.status).toBe(200)
    const policy = reply.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).toContain("script-src 'self'")
    expect(reply.headers.get('x-frame-options')).toBeNull()
    const html = await reply.text()
    for (const [, path = ''] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect((await fetch(server.url + path)).status, path).toBe(200)
    }
  })
})

describe('GET /api/v1/widget-texts/{locale}', () => {
  it('lists our own words, every one of them in every language', async () => {
    const read = async (locale: string) => {
      const reply = await server.call(`/api/v1/widget-texts/${locale}`)
      return ((await reply.json()) as { texts: Record<string, string> }).texts
    }
    const english = await read('en')
    expect(english.send).toBe('Send feedback')
    expect(Object.keys(await read('he')).sort()).toEqual(Object.keys(english).sort())
    expect((await server.call('/api/v1/widget-texts/xx')).status).toBe(400)
  })
})
