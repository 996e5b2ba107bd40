import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testEvent } from '#contract/deliveries.ts'
import { deliveredEvents } from '#contract/integrations.ts'
import { findFreePort } from '#doubles/free-port.ts'
import { createOutbound, type Outbound } from '#server/platform/outbound/outbound.ts'
import { type Receiver, startReceiver } from '#server/testing/receiver.ts'
import type { RenderedMail } from '../../mail/mail.service.ts'
import type { DeliveryTools } from '../define-integration.ts'
import type { DeliveryContent } from '../delivery/read-content.ts'
import { sampleItem } from '../delivery/sample-item.ts'
import { createServiceClient } from '../delivery/service-client.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { describeItem } from '../describe-item.ts'
import { checkSettings, describeType } from '../form-fields.ts'
import { findDefinition, integrationDefinitions } from '../registry.ts'

let receiver: Receiver
let outbound: Outbound
let emails: RenderedMail[]

beforeAll(() => {
  outbound = createOutbound({ allowedHosts: [], allowLoopback: true, requireHttps: false })
})
afterAll(() => outbound.close())
beforeEach(async () => {
  receiver = await startReceiver()
  emails = []
})
afterEach(() => receiver.stop())

const secretWord = 'very-secret-word'
const everyEvent: readonly DeliveryContent['event'][] = [...deliveredEvents, testEvent]

/** Settings of each type that lead to the receiver. */
const settingsOf: Readonly<Record<string, () => Record<string, unknown>>> = {
  webhook: () => ({ url: receiver.url, headers: `X-Token: ${secretWord}` }),
  slack: () => ({ url: `${receiver.url}/services/T0/B0/${secretWord}` }),
  slack_app: () => ({ token: `xoxb-${secretWord}`, channel: 'C012345', apiUrl: `${receiver.url}/api/` }),
  discord: () => ({ url: `${receiver.url}/api/webhooks/123/${secretWord}` }),
  teams: () => ({ url: `${receiver.url}/workflows/1/triggers/manual/paths/invoke?sig=${secretWord}` }),
  email: () => ({ addresses: 'ada@example.com' }),
  github: () => ({ repository: 'acme/web', token: secretWord, apiUrl: receiver.url }),
  gitlab: () => ({ project: 'acme/web', token: secretWord, server: receiver.url }),
  linear: () => ({ team: 'ENG', token: secretWord, apiUrl: receiver.url }),
  trello: () => ({ board: 'AbCd1234', apiKey: secretWord, token: secretWord, apiUrl: receiver.url }),
  asana: () => ({ project: '1201234567890123', token: secretWord, apiUrl: receiver.url }),
  clickup: () => ({ list: '901100123456', token: secretWord, apiUrl: receiver.url }),
  azure_devops: () => ({
    organization: receiver.url,
    project: 'Website',
    token: secretWord,
    tokenEndsAt: '2031-05-01',
  }),
  jira: () => ({ site: receiver.url, email: 'earshot@example.com', token: secretWord, project: 'WEB' }),
  ntfy: () => ({ topic: 'acme_feedback', server: receiver.url, token: `tk_${secretWord}` }),
}

const item = { ...sampleItem(new Date('2026-11-20T10:00:00Z')), number: 12, projectName: 'Website' }

function contentOf(
  event: DeliveryContent['event'],
  { feedback = {}, ...data }: { feedback?: object; [name: string]: unknown } = {},
): DeliveryContent {
  const isThere = event !== 'feedback.deleted'
  const all = {
    organizationId: item.id,
    feedbackId: item.id,
    feedback: isThere ? { ...item, ...feedback } : null,
    url: isThere && event !== testEvent ? 'https://earshot.example/dashboard/feedback?item=1' : null,
    actorName: event === 'feedback.created' ? null : 'Grace Hopper',
    ...data,
  }
  const timestamp = '2026-11-20T10:00:00.000Z'
  return { event, timestamp, data: all, body: JSON.stringify({ type: event, timestamp, data: all }) }
}

/** Delivers over HTTP as the worker does. */
async function deliver(type: string, content: DeliveryContent, settings = settingsOf[type]?.() ?? {}) {
  const client = createServiceClient(outbound, [secretWord])
  await findDefinition(type)?.deliver?.(content, settings, { ...makeTools(), send: client.send })
  return client.last
}

function makeTools(): Omit<DeliveryTools, 'send'> {
  return {
    deliveryId: crypto.randomUUID(),
    sendEmails: async (_, render) => {
      emails.push(render({ organizationName: 'Acme', holdsWords: true, appUrl: 'https://earshot.example' }))
    },
    findStrangers: async () => [],
    sign: () => 'v1,none',
  }
}

/** The latest message that the receiver got. */
function read<T>(): T {
  // A receiver of JSON: each test reads the fields of its service.
  return JSON.parse(receiver.received.at(-1)?.body ?? 'null') as T
}

const picture = {
  id: item.id,
  kind: 'screenshot',
  state: 'ready',
  mime: 'image/png',
  url: 'https://earshot.example/files/picture?signature=1&more=2',
}

const hostile = {
  message:
    `<!channel> <@U123> @everyone @here *bold* [click](https://evil.example) <https://evil.example|safe> {{DATE(2026)}} ` +
    `\u202Egnp.exe\u202C a\u200Bb مرحبا & "quoted" \\ \`code\`\n${'<&>"漢\n'.repeat(1000)}`,
  pageUrl: 'https://shop.example/a|b?x=<script>&y=1',
  visitorName: '<!here> *Mallory*',
  visitorEmail: 'm@evil.example',
  tags: Array.from({ length: 20 }, (_, index) => `<@tag${index}>`.repeat(9)),
  priority: 'urgent',
  attachmentKinds: ['screenshot', 'replay'],
  attachments: [picture],
  context: {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    console: [
      [1, 'log', 'fine'],
      [2, 'error', `TypeError: <b> ${'漢'.repeat(2000)}`],
      ['no', 7],
      ...Array.from({ length: 9 }, (_, index) => [3, 'error', `E${index} ${'漢'.repeat(500)}`]),
    ],
  },
  fields: Array.from({ length: 20 }, (_, index) => ({
    id: `${index}`,
    label: `<!channel> ${index}`,
    value: '漢'.repeat(900),
  })),
}

interface Text {
  type: string
  text: string
  verbatim?: boolean
}
interface SlackMessage {
  channel?: string
  text: string
  blocks: { type: string; text?: Text; fields?: Text[]; elements?: (Text & { url?: string })[]; image_url?: string }[]
}

describe('every integration', () => {
  it.each(
    integrationDefinitions.filter(({ tracker }) => tracker).map((definition) => [definition.type, definition] as const),
  )('%s says that another server answers, such as one with a page, when it is connected', async (type, { connect }) => {
    receiver.answer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hello</html>'))
    const { send } = createServiceClient(outbound, [])
    const connecting = connect?.(settingsOf[type]?.() ?? {}, { send, findStrangers: async () => [] })
    await expect(connecting).rejects.toThrow(DeliveryFailure)
    await expect(connecting).rejects.toThrow(/^The answer is not .+\. Is the (server’s )?address right\?$/)
  })

  it.each(integrationDefinitions.map((definition) => [definition.type, definition] as const))(
    '%s describes its form, and sends something for every event, with no secret in the log',
    async (type, definition) => {
      const { fields, summary, name, guide } = describeType(definition)
      for (const field of fields)
        expect(field).toMatchObject({ label: expect.stringMatching(/^[A-Z]/), help: expect.stringMatching(/\.$/) })
      for (const field of fields.filter((each) => /(?:token|key|password|secret|headers)$/i.test(each.name)))
        expect(field.isSecret).toBe(true)
      // A date says when a token ends.
      for (const { name: each, kind, isSecret } of fields)
        if (kind !== 'date' && /token|key|password|secret|headers/i.test(each)) expect(isSecret).toBe(true)
      expect([summary, name, guide ?? 'none'].every((text) => text !== '')).toBe(true)
      const settings = settingsOf[type]?.()
      if (!settings) throw new Error(`${type} has no settings in this test`)
      const checked = checkSettings(definition, settings)
      expect({ ...checked.settings, ...checked.secrets }).toEqual(settings)
      // A tracker gets issues, which have tests of their own.
      if (definition.tracker) return
      receiver.answer((_, response) => response.writeHead(200).end('{"ok":true}'))
      for (const [index, event] of everyEvent.entries()) {
        const { request } = await deliver(type, contentOf(event, { feedback: { attachments: [picture] } }), settings)
        expect(receiver.received.length + emails.length).toBe(index + 1)
        if (type === 'email') continue
        expect(request).not.toContain(secretWord)
        expect(request).toMatch(/•••/)
      }
    },
  )
})

describe('describing an item', () => {
  it.each([
    ['feedback.created', {}, 'A visitor sent #12.'],
    ['feedback.imported', {}, 'Grace Hopper imported #12.'],
    [
      'feedback.status_changed',
      { change: { from: 'new', to: 'in_progress' } },
      'Grace Hopper changed #12 from New to In progress.',
    ],
    ['feedback.updated', { fields: ['priority', 'tags', 'later'] }, 'Grace Hopper changed #12: priority, tags.'],
    ['feedback.assigned', {}, 'Grace Hopper assigned #12.'],
    ['feedback.commented', {}, 'Grace Hopper wrote a note on #12.'],
    ['feedback.replied', {}, 'Grace Hopper replied to the visitor of #12.'],
    ['feedback.answered', { actorName: null }, 'A visitor answered #12.'],
    ['feedback.files_changed', {}, 'Files of #12 changed.'],
    ['feedback.deleted', {}, 'Grace Hopper permanently deleted an item.'],
    ['integration.test', {}, 'This is a test from Earshot. The connection works.'],
  ] as const)('%s with %j is a sentence', (event, data, sentence) => {
    expect(describeItem(contentOf(event, data)).sentence).toBe(sentence)
  })

  it('names project, type, number, words, facts, errors and the first picture, without invisible characters', () => {
    const described = describeItem(contentOf('feedback.created', { feedback: { ...hostile, rating: 1, nps: 9 } }))
    expect(described.title).toMatch(/^Bug #12 in Website: <!channel> .*…$/)
    expect(described.title.length).toBeLessThanOrEqual(150)
    expect(described.text).toContain('gnp.exe ab مرحبا')
    expect(described.facts.slice(0, 5)).toEqual([
      { label: 'Page', value: hostile.pageUrl, url: 'https://shop.example/a|b?x=%3Cscript%3E&y=1' },
      { label: 'Browser', value: 'Firefox 145 on Linux' },
      { label: 'Rating', value: '1 star' },
      { label: 'NPS', value: '9 of 10' },
      { label: 'Priority', value: 'Urgent' },
    ])
    expect(described.facts.find(({ label }) => label === 'Attachments')?.value).toBe('Screenshot, Replay')
    expect(described.consoleErrors).toHaveLength(5)
    expect(described.pictureUrl).toBe(picture.url)
    const [page] = describeItem(contentOf('feedback.created', { feedback: { pageUrl: 'javascript:alert(1)' } })).facts
    expect(page).toEqual({ label: 'Page', value: 'javascript:alert(1)' })
  })

  it('shows the note, reply or answer that the event is about', () => {
    const comment = { id: item.id, kind: 'note', fromVisitor: false, text: 'Seen in the logs.', authorName: 'Grace' }
    expect(describeItem(contentOf('feedback.commented', { comment })).text).toBe('Seen in the logs.')
  })
})

describe('Slack', () => {
  it.each(['slack', 'slack_app'])(
    '%s gets blocks within its limits, and no mention or link from a visitor',
    async (type) => {
      receiver.answer((_, response) => response.writeHead(200).end('{"ok":true}'))
      await deliver(type, contentOf('feedback.created', { feedback: hostile }))
      const { blocks, text, channel } = read<SlackMessage>()
      const [got] = receiver.received
      if (type === 'slack_app') {
        expect(got).toMatchObject({
          path: '/api/chat.postMessage',
          headers: { authorization: `Bearer xoxb-${secretWord}` },
        })
        expect(channel).toBe('C012345')
      } else expect(got?.path).toBe(`/services/T0/B0/${secretWord}`)
      expect(blocks.map((block) => block.type)).toEqual([
        'header',
        'context',
        'section',
        'section',
        'section',
        'image',
        'actions',
      ])
      const texts = blocks.flatMap((block) => [block.text, ...(block.fields ?? []), ...(block.elements ?? [])])
      const marked = texts.flatMap((each) => (each?.type === 'mrkdwn' ? each : []))
      expect(blocks[0]?.text?.text.length).toBeLessThanOrEqual(150)
      expect(blocks[3]?.fields?.length).toBeLessThanOrEqual(10)
      for (const field of blocks[3]?.fields ?? []) expect(field.text.length).toBeLessThanOrEqual(2000)
      for (const each of marked) {
        expect(each.verbatim).toBe(true)
        expect(each.text.length).toBeLessThanOrEqual(3000)
        // The page's own address is the one link.
        expect(each.text.replace(/<https:\/\/shop\.example\/[^|>]*\|/, '').replace(/>$/, '')).not.toMatch(
          /[<>]|&(?!amp;|lt;|gt;)/,
        )
      }
      expect(text).not.toMatch(/[<>]/)
      expect(blocks[2]?.text?.text).toContain('&lt;!channel&gt; &lt;@U123&gt;')
      expect(blocks[3]?.fields?.[0]?.text).toContain('<https://shop.example/a%7Cb?x=%3Cscript%3E&amp;y=1|')
      expect(blocks[5]).toMatchObject({ image_url: picture.url, alt_text: expect.any(String) })
      expect(blocks[6]?.elements?.[0]).toMatchObject({ type: 'button', url: expect.stringContaining('?item=1') })
    },
  )

  it.each([
    ['slack', 400, 'invalid_blocks'],
    ['slack_app', 200, '{"ok":false,"error":"invalid_blocks"}'],
  ] as const)(
    '%s gets the message without its picture when the picture can’t be loaded',
    async (type, status, answer) => {
      receiver.answer(({ body }, response) =>
        body.includes('image_url')
          ? response.writeHead(status).end(answer)
          : response.writeHead(200).end('{"ok":true}'),
      )
      await deliver(type, contentOf('feedback.created', { feedback: { attachments: [picture] } }))
      expect(receiver.received).toHaveLength(2)
      expect(read<SlackMessage>().blocks.some((block) => block.type === 'image')).toBe(false)
    },
  )

  it.each([
    [404, 'no_service', 'gone', /no longer knows this webhook/],
    [410, 'channel_is_archived', 'gone', /archived/],
    [403, 'action_prohibited', 'retry', /administrator/],
    [400, 'invalid_payload', 'refused', /refused the message/],
    [500, 'rollup_error', 'retry', /answered 500/],
  ] as const)('says what the webhook’s answer %i %s means', async (status, word, kind, message) => {
    receiver.answer((_, response) => response.writeHead(status).end(word))
    await expect(deliver('slack', contentOf(testEvent))).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(message),
    })
  })

  it.each([
    ['channel_not_found', 'retry', /finds no such channel/],
    ['not_in_channel', 'retry', /\/invite/],
    ['invalid_auth', 'gone', /no longer accepts the bot token/],
    ['token_revoked', 'gone', /no longer accepts the bot token/],
    ['ratelimited', 'retry', /too many/],
    ['constructor', 'retry', /refused the message: constructor/],
  ] as const)('says what the app’s answer %s means', async (error, kind, message) => {
    receiver.answer((_, response) =>
      response.writeHead(200, { 'retry-after': '30' }).end(JSON.stringify({ ok: false, error })),
    )
    await expect(deliver('slack_app', contentOf(testEvent))).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(message),
    })
  })

  it('asks Slack for the workspace when the app is connected, and refuses a token that Slack refuses', async () => {
    const tools = { send: createServiceClient(outbound, []).send, findStrangers: async () => [] }
    const settings = settingsOf.slack_app?.() ?? {}
    receiver.answer((_, response) => response.writeHead(200).end('{"ok":true,"team":"Acme"}'))
    expect(await findDefinition('slack_app')?.connect?.(settings, tools)).toEqual({ account: 'Acme, C012345' })
    expect(receiver.received[0]?.path).toBe('/api/auth.test')
    receiver.answer((_, response) => response.writeHead(200).end('{"ok":false,"error":"invalid_auth"}'))
    await expect(findDefinition('slack_app')?.connect?.(settings, tools)).rejects.toThrow(/bot token/)
  })
})

/** Texts of parts that other programs read as markup, or not at all. */
const anyText = (maxLength: number) =>
  fc
    .array(
      fc.constantFrom(
        ...'&<>\\`*{"|a \n\u202E\u200B\u0007漢😀',
        '@everyone',
        '<!channel>',
        'https://x.example/',
        '\uD800',
      ),
      {
        maxLength,
      },
    )
    .map((parts) => parts.join('').toWellFormed())

/** Limits of the services. Each throws for a message that its service would refuse or read as markup. */
const limits: Readonly<Record<string, (message: string) => void>> = {
  slack: (message) => checkSlack(JSON.parse(message) as SlackMessage),
  slack_app: (message) => checkSlack(JSON.parse(message) as SlackMessage),
  discord: (message) => checkDiscord((JSON.parse(message) as DiscordMessage).embeds[0]),
  teams: (message) => {
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(28_000)
    expect(message).not.toContain('{{')
  },
  ntfy: (message) => expect(Buffer.byteLength((JSON.parse(message) as NtfyMessage).message)).toBeLessThanOrEqual(4096),
}

function checkSlack({ text, blocks }: SlackMessage): void {
  expect(text).toMatch(/^[^<>]+$/)
  expect(blocks.length).toBeLessThanOrEqual(50)
  for (const { type, text: own, fields = [], elements = [] } of blocks) {
    const most = type === 'header' ? 150 : fields.length > 0 ? 2000 : 3000
    for (const each of [own, ...fields, ...elements]) {
      if (typeof each?.text !== 'string') continue
      expect(each.text.trim()).not.toBe('')
      expect(each.text.length).toBeLessThanOrEqual(most)
      if (each.type === 'mrkdwn') expect(each.text).not.toMatch(/<(?!https:\/\/shop\.example\/)/)
    }
  }
}

function checkDiscord(embed: DiscordMessage['embeds'][number] | undefined): void {
  if (!embed) throw new Error('no embed')
  expect(embed.title.length).toBeLessThanOrEqual(256)
  expect(embed.description.length).toBeLessThanOrEqual(4096)
  expect(embed.fields.length).toBeLessThanOrEqual(25)
  const all = embed.fields.flatMap(({ name, value }) => [name, value])
  expect(all.every((each) => each.trim() !== '' && each.length <= 1024)).toBe(true)
  expect([embed.title, embed.description, ...all].join('').length).toBeLessThanOrEqual(6000)
}

describe('any text', () => {
  it.each(Object.keys(limits))('stays within the limits of %s', async (type) => {
    const texts = fc.array(anyText(400), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(anyText(3000), anyText(100), texts, async (message, name, others) => {
        const visitor = { visitorName: name, visitorEmail: name, projectName: name, tags: others }
        const fields = others.map((value, index) => ({ id: `${index}`, label: name, value }))
        const context = { console: others.map((text) => [1, 'error', text]) }
        const page = { pageUrl: `https://shop.example/${others[0] ?? ''}`, attachments: [picture] }
        const feedback = { message, ...visitor, ...page, fields, context }
        limits[type]?.(await write(type, contentOf('feedback.created', { feedback, actorName: name })))
      }),
      { numRuns: 60 },
    )
  })
})

/** The body that a type would send. */
async function write(type: string, content: DeliveryContent): Promise<string> {
  const bodies: string[] = []
  const tools: Partial<DeliveryTools> = {
    send: async (_, { json } = {}) => {
      bodies.push(JSON.stringify(json))
      return { status: 200, headers: {}, body: Buffer.from('ok'), isCut: false, durationMs: 1 }
    },
  }
  // These types use nothing else.
  await findDefinition(type)?.deliver?.(content, settingsOf[type]?.() ?? {}, tools as DeliveryTools)
  return bodies[0] ?? ''
}

describe('Slack’s emulator', () => {
  it('takes the app’s token and messages, and finds no other channel', async () => {
    const { createEmulator } = await import('emulate')
    const port = await findFreePort()
    const seed = { slack: { team: { name: 'Acme' }, channels: [{ name: 'feedback' }] } }
    const emulator = await createEmulator({ service: 'slack', port, seed })
    try {
      const settings = { token: 'xoxb-of-the-emulator', channel: 'feedback', apiUrl: `http://127.0.0.1:${port}/api` }
      const tools = { send: createServiceClient(outbound, []).send, findStrangers: async () => [] }
      expect(await findDefinition('slack_app')?.connect?.(settings, tools)).toEqual({ account: 'Acme, feedback' })
      const { response } = await deliver('slack_app', contentOf('feedback.created'), settings)
      const text = expect.stringMatching(/^A visitor sent #12\. Bug #12 in Website/)
      expect(JSON.parse(response ?? '')).toMatchObject({ ok: true, message: { text } })
      await expect(deliver('slack_app', contentOf(testEvent), { ...settings, channel: 'other' })).rejects.toThrow(
        /finds no such channel/,
      )
    } finally {
      await emulator.close()
    }
  })
})

interface DiscordMessage {
  embeds: {
    title: string
    description: string
    fields: { name: string; value: string }[]
    image?: object
    url?: string
  }[]
  allowed_mentions: object
}

describe('Discord', () => {
  it('gets an embed within its limits, which notifies no one', async () => {
    await deliver('discord', contentOf('feedback.created', { feedback: hostile }))
    expect(receiver.received[0]?.path).toBe(`/api/webhooks/123/${secretWord}?wait=true`)
    const { embeds, allowed_mentions } = read<DiscordMessage>()
    expect(allowed_mentions).toEqual({ parse: [] })
    const [embed] = embeds
    if (!embed) throw new Error('no embed')
    expect(embed.title.length).toBeLessThanOrEqual(256)
    expect(embed.description.length).toBeLessThanOrEqual(4096)
    expect(embed.fields.length).toBeLessThanOrEqual(25)
    for (const { name, value } of embed.fields) {
      expect(name.length).toBeLessThanOrEqual(256)
      expect(value.length).toBeLessThanOrEqual(1024)
    }
    const all = [embed.title, embed.description, ...embed.fields.flatMap(({ name, value }) => [name, value])]
    expect(all.join('').length).toBeLessThanOrEqual(6000)
    expect(embed.description).toContain('\\@everyone')
    expect(embed.description).toContain('\\[click\\]\\(https')
    expect(embed).toMatchObject({ image: { url: picture.url }, url: expect.stringContaining('?item=1') })
  })

  it('hides its address in the log, however it is written', async () => {
    const url = `${receiver.url.replace('http:', 'HTTP:')}/api/webhooks/123/${secretWord}?thread_id=7`
    const client = createServiceClient(outbound, [url])
    await findDefinition('discord')?.deliver?.(contentOf(testEvent), { url }, { ...makeTools(), send: client.send })
    expect(receiver.received[0]?.path).toBe(`/api/webhooks/123/${secretWord}?thread_id=7&wait=true`)
    expect(client.last.request).not.toContain(secretWord)
  })

  it('waits as long as Discord asks for, and ends with a deleted webhook', async () => {
    receiver.answer((_, response) => response.writeHead(429).end('{"message":"slow","retry_after":64.57}'))
    await expect(deliver('discord', contentOf(testEvent))).rejects.toMatchObject({
      kind: 'retry',
      retryAfterSeconds: 65,
    })
    receiver.answer((_, response) => response.writeHead(404).end('{"message":"Unknown Webhook","code":10015}'))
    await expect(deliver('discord', contentOf(testEvent))).rejects.toMatchObject({ kind: 'gone' })
  })
})

interface TeamsMessage {
  type: string
  attachments: {
    contentType: string
    content: { version: string; body: { type: string; inlines?: { text: string }[] }[]; actions: { url: string }[] }
  }[]
}

describe('Microsoft Teams', () => {
  it('gets an Adaptive Card of at most 28 kB, whose texts are no markup', async () => {
    await deliver('teams', contentOf('feedback.created', { feedback: hostile }))
    expect(Buffer.byteLength(receiver.received[0]?.body ?? '')).toBeLessThanOrEqual(28_000)
    const { type, attachments } = read<TeamsMessage>()
    expect(type).toBe('message')
    expect(attachments[0]).toMatchObject({
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        type: 'AdaptiveCard',
        version: '1.4',
        actions: [{ type: 'Action.OpenUrl', title: 'Open in Earshot' }],
      },
    })
    const body = attachments[0]?.content.body ?? []
    expect(new Set(body.map((block) => block.type))).toEqual(new Set(['RichTextBlock', 'Image']))
    expect(body.length).toBeLessThan(50)
    const texts = body.flatMap((block) => block.inlines?.map(({ text }) => text) ?? [])
    expect(texts.every((text) => text !== '' && !text.includes('{{'))).toBe(true)
    expect(texts).toContain('Page: ')
  })

  it.each([
    [404, '{"error":{"code":"WorkflowNotFound"}}', 'gone', /no longer exists/],
    [400, '{"error":{"code":"WorkflowTriggerIsNotEnabled"}}', 'retry', /turned off/],
    [401, '{"error":{"code":"DirectApiAuthorizationRequired"}}', 'gone', /Copy it/],
  ] as const)('says what %i %s means', async (status, answer, kind, message) => {
    receiver.answer((_, response) => response.writeHead(status).end(answer))
    await expect(deliver('teams', contentOf(testEvent))).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(message),
    })
  })
})

interface NtfyMessage {
  topic: string
  message: string
  priority: number
  tags: string[]
  click: string
  attach: string
}

describe('ntfy', () => {
  it('gets a message of at most 4,096 bytes with priority, link and picture', async () => {
    await deliver('ntfy', contentOf('feedback.created', { feedback: hostile }))
    expect(receiver.received[0]).toMatchObject({ path: '/', headers: { authorization: `Bearer tk_${secretWord}` } })
    const message = read<NtfyMessage>()
    expect(message).toMatchObject({
      topic: 'acme_feedback',
      title: expect.stringMatching(/^Bug #12 in Website/),
      priority: 5,
      tags: ['beetle'],
      click: expect.stringContaining('?item=1'),
      attach: picture.url,
    })
    expect(Buffer.byteLength(message.message)).toBeLessThanOrEqual(4096)
    expect(message.message).toMatch(/[^\uFFFD]…$/)
  })

  it('says that the topic needs another token', async () => {
    receiver.answer((_, response) => response.writeHead(403).end('{"code":40301,"http":403,"error":"forbidden"}'))
    await expect(deliver('ntfy', contentOf(testEvent))).rejects.toThrow(/access token/)
  })
})

describe('an email', () => {
  it('contains the item and its picture, no link of the visitor, and no words of the visitor in its subject', async () => {
    await deliver('email', contentOf('feedback.created', { feedback: hostile }))
    const [{ subject, text, html } = { subject: '', text: '', html: '' }] = emails
    expect(subject).toBe('Website: A visitor sent #12')
    expect(text).toContain('Open in Earshot:\nhttps://earshot.example/dashboard/feedback?item=1')
    expect(text).toContain(picture.url)
    expect(text).not.toMatch(/evil\.example|shop\.example/)
    expect(html).toContain('&lt;!channel&gt;')
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '')
    expect(links.every((href) => /^https:\/\/earshot\.example(\/|$)/.test(href))).toBe(true)
  })
})

const manyAddresses = Array.from({ length: 21 }, (_, index) => `member${index}@example.com`).join('\n')

describe('the form of', () => {
  it.each([
    ['slack', { url: 'https://acme.slack.com/archives/C1' }, 'url', /hooks\.slack\.com/],
    ['slack_app', { token: 'line\nbreak-token', channel: 'C1' }, 'token', /./],
    ['discord', { url: 'https://discord.com/channels/1/2' }, 'url', /no webhook URL/],
    ['teams', { url: 'https://acme.webhook.office.com/webhookb2/1' }, 'url', /Microsoft ended Office connectors/],
    ['email', { addresses: 'ada@example.com, not-one' }, 'addresses', /no email address: not-one/],
    ['email', { addresses: manyAddresses }, 'addresses', /at most 20/],
    ['ntfy', { topic: 'with spaces' }, 'topic', /letters of ASCII/],
  ] as const)('%s refuses %j', (type, config, field, message) => {
    const definition = findDefinition(type)
    if (!definition) throw new Error('no such type')
    expect(() => checkSettings(definition, config)).toThrow(
      expect.objectContaining({
        fields: [{ path: expect.stringContaining(`body.config.${field}`), message: expect.stringMatching(message) }],
      }),
    )
  })
})
