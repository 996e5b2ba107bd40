import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '#server/features/api-keys/key-format.ts'
import { createApiKey, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { readBlocks, readGuide } from './checks/guide-text.ts'

/* Every command of the guide to the REST API is run as it stands, in order, with a real key. */
const exec = promisify(execFile)

let server: TestServer
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web,worker' })
  folder = await mkdtemp(join(tmpdir(), 'earshot-rest-'))
  // Read by curl: no progress, and an exit code for refusals.
  await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n')
  const { organizationId = '' } = await createUser(server.client)
  const project = await createProject(server.client, { organizationId, name: 'Northwind' })
  const item = await createFeedback(server.client, { organizationId, projectId: project.id })
  const key = createKey()
  await createApiKey(server.client, { organizationId, projectId: project.id, key })
  env = {
    PATH: process.env.PATH ?? '',
    CURL_HOME: folder,
    EARSHOT_API_KEY: key,
    WIDGET_KEY: project.widgetKey,
    FEEDBACK_ID: item.id,
    FILE_ID: crypto.randomUUID(),
  }
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What a command of the guide prints. */
async function run(command: string): Promise<string> {
  const { stdout } = await exec('bash', ['-c', command.replaceAll('https://{{host}}', server.url)], {
    cwd: folder,
    env,
  })
  return stdout
}

/** The names and types of an answer, without its values. */
function describeShape(value: unknown): unknown {
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, part]) => [name, describeShape(part)])
      .toSorted(),
  )
}

describe('the guide to the REST API', () => {
  it('has commands that run, and shows answers as they are', async () => {
    const blocks = readBlocks(await readGuide('rest-api'))
    const ran: string[] = []
    for (const [index, { language, text }] of blocks.entries()) {
      if (language !== 'bash') continue
      if (text.includes('/file"')) {
        const path = `/api/v1/exports/${env.EXPORT_ID}`
        const read = async () => (await server.call(path, { token: env.EARSHOT_API_KEY ?? '' })).json()
        await expect.poll(read).toMatchObject({ state: 'ready' })
      }
      const printed = await run(text)
      if (text.includes('/api/v1/exports" ')) env.EXPORT_ID = (JSON.parse(printed) as { id: string }).id
      const next = blocks[index + 1]
      if (next?.language === 'json') {
        expect(describeShape(JSON.parse(printed))).toEqual(describeShape(JSON.parse(next.text)))
      }
      ran.push(text)
    }
    expect(ran.length).toBeGreaterThan(12)
    expect(await readFile(join(folder, 'feedback.csv'), 'utf8')).toContain('The basket empties itself.')
    const found = await server.call('/api/v1/feedback?media=file', { token: env.EARSHOT_API_KEY ?? '' })
    expect(await found.json()).toMatchObject({
      items: [{ excerpt: 'The basket answers 500.', attachmentKinds: ['file'] }],
    })
  })

  it('describes limits and errors as the server sends them', async () => {
    const guide = await readGuide('rest-api')
    const { headers } = await server.call('/api/v1/project', { token: env.EARSHOT_API_KEY ?? '' })
    expect(guide).toContain(`RateLimit-Policy: ${headers.get('ratelimit-policy')}\n`)
    expect(headers.get('ratelimit')).toMatch(/^"key";r=\d+;t=\d+$/)
    const body = { type: 'bug', message: ' ' }
    const refused = await server.call('/api/v1/feedback', { token: env.EARSHOT_API_KEY ?? '', body })
    const shown = readBlocks(guide)
      .filter(({ language }) => language === 'json')
      .at(-1)
    const { requestId: _, ...problem } = (await refused.json()) as { requestId: string }
    expect(JSON.parse(shown?.text ?? '')).toEqual({ ...problem, requestId: expect.any(String) })
  })
})
