import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { createOutbound, type Outbound } from '#server/platform/outbound/outbound.ts'
import { startReceiver } from '#server/testing/receiver.ts'
import type { DeliveryTools } from '../define-integration.ts'
import type { DeliveryContent } from '../delivery/read-content.ts'
import { sampleItem } from '../delivery/sample-item.ts'
import { createServiceClient } from '../delivery/service-client.ts'
import { checkSettings, describeType } from '../form-fields.ts'
import { integrationDefinitions } from '../registry.ts'
import { createSigningKey, showSigningKey, sign } from '../secrets.ts'
import { gotify } from './gotify.example.ts'
import { webhook } from './webhook.ts'

let outbound: Outbound
beforeAll(() => {
  outbound = createOutbound({ allowedHosts: [], allowLoopback: true, requireHttps: false })
})
afterAll(() => outbound.close())

const guides = new URL('../../../../docs/guides/', import.meta.url)
const readGuide = (name: string) => readFile(new URL(`${name}.md`, guides), 'utf8')

/** The first block of a language in a guide. */
async function readBlock(name: string, language: string): Promise<string> {
  const [, block] = new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, 'ms').exec(await readGuide(name)) ?? []
  if (block === undefined) throw new Error(`${name} has no block of ${language}`)
  return block
}

const item = sampleItem(new Date('2026-11-20T10:00:00Z'))
const data = {
  organizationId: item.id,
  feedbackId: item.id,
  feedback: item,
  url: 'https://e.example/1',
  actorName: null,
}
const event = { type: 'feedback.created', timestamp: '2026-11-20T10:00:00.000Z', data } as const
const content: DeliveryContent = { ...event, event: event.type, body: JSON.stringify(event) }

function makeTools(key: string): DeliveryTools {
  const id = crypto.randomUUID()
  return {
    deliveryId: id,
    send: createServiceClient(outbound, []).send,
    sign: (timestamp, body) => sign({ current: key }, { id, timestamp, body }),
    sendEmails: async () => {},
    findStrangers: async () => [],
  }
}

describe('the guide to webhooks', () => {
  it('has a receiver that accepts our signature, refuses another, and handles a repeated delivery once', async () => {
    const code = await readBlock('webhooks', 'js')
    const key = createSigningKey()
    const port = await findFreePort()
    const env = { ...process.env, PORT: String(port), EARSHOT_WEBHOOK_SECRET: showSigningKey(key) }
    const receiver = spawn(process.execPath, ['--input-type=module', '--eval', code], { env })
    const lines: string[] = []
    try {
      await new Promise((resolve, reject) => {
        receiver.once('error', reject)
        receiver.stderr.once('data', (text: Buffer) => reject(new Error(text.toString())))
        receiver.stdout.on('data', (text: Buffer) => {
          lines.push(...text.toString().trim().split('\n'))
          resolve(undefined)
        })
      })
      const settings = { url: `http://127.0.0.1:${port}/` }
      const tools = makeTools(key)
      await webhook.deliver?.(content, settings, tools)
      await webhook.deliver?.(content, settings, tools)
      await expect(webhook.deliver?.(content, settings, makeTools(createSigningKey()))).rejects.toThrow('answered 400')
      expect(lines).toEqual(['listening', `feedback.created ${item.message}`])
    } finally {
      receiver.kill()
    }
  })
})

describe('the guide “Write an integration”', () => {
  it('adds an integration by its code alone, which delivers', async () => {
    const example = await readFile(new URL('gotify.example.ts', import.meta.url), 'utf8')
    expect(await readBlock('write-an-integration', 'ts')).toBe(example.trimEnd())
    const receiver = await startReceiver()
    const settings = { server: `${receiver.url}/`, token: 'A1b2C3d4' }
    const checked = checkSettings(gotify, settings)
    expect(checked).toEqual({ settings: { server: settings.server }, secrets: { token: settings.token } })
    expect(describeType(gotify).fields.map(({ label, isSecret }) => [label, isSecret])).toEqual([
      ['Server', false],
      ['App token', true],
    ])
    await gotify.deliver?.(content, settings, makeTools(''))
    expect(receiver.received[0]).toMatchObject({ path: '/message', headers: { 'x-gotify-key': 'A1b2C3d4' } })
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      title: `Bug #1 in Example project: ${item.message}`,
      message: `A visitor sent #1.\n\n${item.message}`,
      priority: 5,
      extras: { 'client::notification': { click: { url: 'https://e.example/1' } } },
    })
    receiver.answer((_, response) => response.writeHead(413).end())
    await expect(gotify.deliver?.(content, settings, makeTools(''))).rejects.toMatchObject({ kind: 'refused' })
    await receiver.stop()
  })
})

describe('guides of integrations', () => {
  it.each(integrationDefinitions.flatMap(({ guide }) => guide ?? []))('%s exists', async (guide) => {
    expect(await readGuide(guide)).toMatch(/^# /m)
  })
})
