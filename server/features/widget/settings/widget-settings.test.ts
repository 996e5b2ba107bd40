import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WidgetConfig } from '#contract/widget-config.ts'
import { defaultWidgetSettings, type WidgetSettings } from '#contract/widget-settings.ts'
import { type BuiltUser, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let owner: BuiltUser
let token: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await createUser(server.client, { fullName: 'Ada Example' })
  token = await server.signIn(owner)
})

afterAll(() => server.stop())

/** A new project's widget, as its owner works on it. */
async function makeWidget(as = token) {
  const project = await createProject(server.client, { organizationId: owner.organizationId ?? '' })
  const path = `/api/v1/organizations/${owner.organizationId}/projects/${project.id}/widget`
  const ask = async (sub = '', method = 'GET', body?: unknown) => {
    const reply = await server.call(path + sub, { token: as, method, ...(body !== undefined && { body }) })
    return { status: reply.status, body: (await reply.json()) as WidgetConfig }
  }
  return {
    ...project,
    read: async () => (await ask()).body,
    save: (settings: unknown) => ask('/draft', 'PUT', settings),
    discard: () => ask('/draft', 'DELETE'),
    publish: () => ask('/publish', 'POST', {}),
    undo: (publishedAt?: string | null) => ask('/undo', 'POST', publishedAt === undefined ? {} : { publishedAt }),
    secret: async () => (await ask('/identity-secret')).body as unknown as { secret: string },
    rotate: async () => (await ask('/identity-secret/rotate', 'POST', {})).body as unknown as { secret: string },
    loader: async (query = '') => (await fetch(`${server.url}/e/${project.widgetKey}.js${query}`)).text(),
  }
}

const settings = (part: Partial<WidgetSettings>): WidgetSettings => ({ ...defaultWidgetSettings, ...part })

describe('GET …/projects/{projectId}/widget', () => {
  it('has default settings before any change', async () => {
    const widget = await makeWidget()
    expect(await widget.read()).toEqual({
      widgetKey: widget.widgetKey,
      published: defaultWidgetSettings,
      draft: null,
      draftToken: null,
      publishedAt: null,
      publishedBy: null,
      canUndo: false,
    })
  })

  it('fills in settings that came later than the row', async () => {
    const widget = await makeWidget()
    await server.client.query(`update widgets set settings = $2 where key = $1`, [
      widget.widgetKey,
      { radius: 2, launcher: { position: 'top-left' }, gone: true },
    ])
    expect((await widget.read()).published).toEqual({
      ...defaultWidgetSettings,
      radius: 2,
      launcher: { kind: 'button', position: 'top-left', offset: 16 },
    })
  })

  it.each(['admin', 'member', 'viewer'] as const)(
    'is for an organisation’s %s to read and not to change',
    async (role) => {
      const member = await createMember(server.client, { organizationId: owner.organizationId ?? '', role })
      const widget = await makeWidget(await server.signIn(member))
      expect((await widget.read()).published).toEqual(defaultWidgetSettings)
      for (const answer of [
        await widget.save(settings({ radius: 1 })),
        await widget.discard(),
        await widget.publish(),
        await widget.undo(),
      ]) {
        expect(answer.status).toBe(403)
      }
      expect(await widget.secret()).toMatchObject({ code: 'permission_denied' })
      expect(await widget.rotate()).toMatchObject({ code: 'permission_denied' })
    },
  )
})

describe('PUT …/widget/draft', () => {
  it('keeps what visitors do not see, under another name each time', async () => {
    const widget = await makeWidget()
    const first = await widget.save(settings({ theme: 'dark' }))
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ draft: { theme: 'dark' }, published: { theme: 'auto' } })
    const second = await widget.save(settings({ theme: 'light' }))
    expect(second.body.draftToken).toMatch(/^[A-Za-z0-9_-]{22}$/)
    expect(second.body.draftToken).not.toBe(first.body.draftToken)
    expect(await widget.loader(`?draft=${second.body.draftToken}`)).toContain('"theme":"light"')
    expect(await widget.loader(`?draft=${first.body.draftToken}`)).not.toContain('"theme":"dark"')
    expect(await widget.loader()).not.toContain('"theme":"light"')
    expect(await widget.read()).toEqual(second.body)
  })

  it('is no draft when nothing is changed any more', async () => {
    const widget = await makeWidget()
    await widget.save(settings({ theme: 'dark' }))
    expect((await widget.save(defaultWidgetSettings)).body).toMatchObject({ draft: null, draftToken: null })
  })

  it.each<[Record<string, unknown>, string]>([
    [{ color: '#FFFFFF' }, 'body.color'],
    [{ color: 'red' }, 'body.color'],
    [{ radius: 25 }, 'body.radius'],
    [{ greeting: 'two\nlines' }, 'body.greeting'],
    [{ teamPicture: 'https://example.com/team.png' }, 'body.teamPicture'],
    [{ teamPicture: 'data:image/svg+xml;base64,PHN2Zy8+' }, 'body.teamPicture'],
    [{ teamPicture: `data:image/png;base64,${'A'.repeat(16_400)}` }, 'body.teamPicture'],
    [{ types: ['bug', 'bug'] }, 'body.types'],
    [{ locale: 'xx' }, 'body.locale'],
    [{ contactEmail: 'no-at-sign' }, 'body.contactEmail'],
    [{ unknown: 1 }, 'body.unknown'],
    [{ launcher: { kind: 'button', position: 'bottom-right' } }, 'body.launcher.offset'],
    [{ fields: [{ id: 'A', kind: 'text', label: 'x', required: false }] }, 'body.fields.0.id'],
    [{ fields: [{ id: 'a', kind: 'text', label: ' ', required: false }] }, 'body.fields.0.label'],
    [{ fields: [{ id: 'a', kind: 'select', label: 'x', required: false }] }, 'body.fields.0.options'],
    [{ fields: [{ id: 'a', kind: 'text', label: 'x', required: false, options: ['1'] }] }, 'body.fields.0.options'],
    [
      { fields: [{ id: 'a', kind: 'select', label: 'x', required: false, options: ['1', '1'] }] },
      'body.fields.0.options',
    ],
    [
      {
        fields: [
          { id: 'a', kind: 'text', label: 'x', required: false },
          { id: 'a', kind: 'checkbox', label: 'y', required: false },
        ],
      },
      'body.fields.1.id',
    ],
    [{ privacy: { storage: true, console: true, network: true, mask: ['.a', '.b {'] } }, 'body.privacy.mask.1'],
    [{ privacy: { storage: true, console: true, network: true, mask: ['[name="a'] } }, 'body.privacy.mask.0'],
    [{ privacy: { storage: true, console: true, network: true, mask: ['a\u0000'] } }, 'body.privacy.mask.0'],
    [{ consent: { text: 'a\u0000', required: false } }, 'body.consent.text'],
    [{ texts: { xx: {} } }, 'body.texts.xx'],
    [{ texts: { en: { unknown: 'x' } } }, 'body.texts.en.unknown'],
    [{ texts: { en: { title: 'a\u0000' } } }, 'body.texts.en.title'],
    [{ texts: { en: { title: 'x'.repeat(301) } } }, 'body.texts.en.title'],
    [{ texts: { en: { constructor: 'x' } } }, 'body.texts.en.constructor'],
  ])('names the field that is wrong in %j', async (part, field) => {
    const widget = await makeWidget()
    const { status, body } = await widget.save({ ...defaultWidgetSettings, ...part })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'validation_failed', fields: [{ path: field }] })
    expect((await widget.read()).draft).toBeNull()
  })

  it('takes what people use', async () => {
    const widget = await makeWidget()
    const { status, body } = await widget.save(
      settings({
        fields: [{ id: 'plan', kind: 'select', label: 'Your plan', required: true, options: ['Free', 'Paid'] }],
        privacy: {
          ...defaultWidgetSettings.privacy,
          mask: ['.card > [data-x="a(b"]', "input:not([type='text'])", '#größe', ':is(h1, h2)::before', 'a\\:b'],
        },
        consent: { text: 'You may\nwrite to me.', required: true },
        texts: { en: { title: 'Tell us <b>' }, ar: { send: 'أرسل' } },
      }),
    )
    expect(status, JSON.stringify(body)).toBe(200)
  })
})

describe('POST …/widget/publish and undo', () => {
  it('gives the draft to visitors, once, and says who did', async () => {
    const widget = await makeWidget()
    await widget.save(settings({ theme: 'dark' }))
    const { body } = await widget.publish()
    expect(body).toMatchObject({
      published: { theme: 'dark' },
      draft: null,
      draftToken: null,
      publishedBy: 'Ada Example',
      canUndo: true,
    })
    expect(Date.parse(body.publishedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    await expect.poll(() => widget.loader()).toContain('"theme":"dark"')
    expect((await widget.publish()).body).toEqual(body)
    const { rows } = await server.client.query(
      "select payload from app.events where name = 'widget.configured' and $1 = any(ids)",
      [widget.id],
    )
    expect(rows).toEqual([{ payload: { action: 'published', fields: ['theme'] } }])
  })

  it('goes back step by step, and keeps as a draft what it takes back', async () => {
    const widget = await makeWidget()
    for (const radius of [1, 2, 3]) {
      await widget.save(settings({ radius }))
      await widget.publish()
    }
    const back = await widget.undo()
    expect(back.body).toMatchObject({ published: { radius: 2 }, draft: { radius: 3 }, canUndo: true })
    await expect
      .poll(() => widget.loader(`?draft=${back.body.draftToken}`))
      .toContain(`"version":"${back.body.draftToken}"`)
    expect((await widget.undo()).body).toMatchObject({ published: { radius: 1 }, draft: { radius: 3 } })
    expect((await widget.undo()).body).toMatchObject({
      published: { radius: 14 },
      publishedAt: null,
      publishedBy: null,
      canUndo: false,
    })
    const end = await widget.undo()
    expect(end.status).toBe(409)
    expect(end.body).toMatchObject({ code: 'nothing_to_undo' })
  })

  it('takes back one state only, however often it is asked for that', async () => {
    const widget = await makeWidget()
    for (const radius of [1, 2, 3]) {
      await widget.save(settings({ radius }))
      await widget.publish()
    }
    const { publishedAt } = await widget.read()
    const answers = await Promise.all(Array.from({ length: 4 }, () => widget.undo(publishedAt)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await widget.read()).published.radius).toBe(2)
  })

  it('does not overwrite a draft that a member is editing', async () => {
    const widget = await makeWidget()
    await widget.save(settings({ radius: 1 }))
    await widget.publish()
    await widget.save(settings({ radius: 9 }))
    expect((await widget.undo()).body).toMatchObject({ published: { radius: 14 }, draft: { radius: 9 } })
  })

  it('publishes once when it is asked twice at the same time', async () => {
    const widget = await makeWidget()
    await widget.save(settings({ radius: 1 }))
    await Promise.all([widget.publish(), widget.publish(), widget.publish()])
    await widget.undo()
    expect(await widget.read()).toMatchObject({ published: { radius: 14 }, canUndo: false })
  })

  it('drops a draft', async () => {
    const widget = await makeWidget()
    await widget.save(settings({ radius: 1 }))
    expect((await widget.discard()).body).toMatchObject({ draft: null, published: { radius: 14 } })
    expect((await widget.discard()).status).toBe(200)
  })
})

describe('…/widget/identity-secret', () => {
  it('is unique per project, stable until it is rotated, and shown nowhere else', async () => {
    const [one, two] = [await makeWidget(), await makeWidget()]
    const { secret } = await one.secret()
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(await one.secret()).toEqual({ secret })
    expect(await two.secret()).not.toEqual({ secret })
    const fresh = await one.rotate()
    expect(fresh.secret).not.toBe(secret)
    expect(await one.secret()).toEqual(fresh)
    expect(JSON.stringify(await one.read())).not.toContain(fresh.secret)
    expect(await one.loader()).not.toContain(fresh.secret)
    const { rows } = await server.client.query('select w::text as row from widgets w where key = $1', [one.widgetKey])
    expect(rows[0].row).not.toContain(fresh.secret)
    expect(server.logLines.join()).not.toContain(fresh.secret)
  })
})
