import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '#server/features/api-keys/key-format.ts'
import { createApiKey, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/*
 * @earshot/client as a customer gets it: built, packed, installed from the tarball, type-checked, and run over HTTP. And every
 * example of the API reference, which is run as it stands.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const exec = promisify(execFile)

let server: TestServer
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-client-'))
  const pack = async () => {
    await exec(process.execPath, ['scripts/build-sdk.ts', '--out', join(folder, 'sdk'), '--only', 'client'], {
      cwd: root,
    })
    await exec('npm', ['pack', join(folder, 'sdk/client')], { cwd: folder })
    await writeFile(join(folder, 'package.json'), '{ "name": "customer", "private": true, "type": "module" }')
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
    const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']
    await exec('npm', ['install', ...flags, join(folder, tarball)], { cwd: folder })
  }
  const [started] = await Promise.all([startTestServer({ SERVICES: 'web,worker' }), pack()])
  server = started
  const { organizationId = '' } = await createUser(server.client)
  const project = await createProject(server.client, { organizationId, name: 'Northwind' })
  const item = await createFeedback(server.client, { organizationId, projectId: project.id })
  const key = createKey()
  await createApiKey(server.client, { organizationId, projectId: project.id, key })
  const asked = await server.call('/api/v1/exports', { token: key, body: { format: 'csv' } })
  const { id: exportId } = (await asked.json()) as { id: string }
  await server.client.query(`update feedback set visitor_id = 'user_42' where id = $1`, [item.id])
  const erased = await createFeedback(server.client, { organizationId, projectId: project.id })
  await server.client.query(`update feedback set visitor_id = 'user_43' where id = $1`, [erased.id])
  const own = { FEEDBACK_ID: item.id, EXPORT_ID: exportId, VISITOR_KEY: 'user_42', ERASED_VISITOR_KEY: 'user_43' }
  env = { PATH: process.env.PATH ?? '', EARSHOT_API_KEY: key, ...own }
}, 120_000)
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a customer's program, and returns what it prints as JSON. */
async function run(program: string): Promise<unknown> {
  const file = join(folder, `${crypto.randomUUID()}.js`)
  const head = `import { createClient, EarshotError } from '@earshot/client'
const earshot = createClient({ host: '${server.url}', key: process.env.EARSHOT_API_KEY })\n`
  await writeFile(file, head + program)
  const { stdout } = await exec(process.execPath, [file], { cwd: folder, env })
  return JSON.parse(stdout)
}

describe('@earshot/client', () => {
  it('has types that fit, and that refuse what the API would', async () => {
    await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
    await symlink(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
    await writeFile(
      join(folder, 'types.ts'),
      `import { createClient, EarshotError, type FeedbackDetail } from '@earshot/client'
const earshot = createClient({ host: 'http://localhost', key: 'es_' })
export async function main(): Promise<FeedbackDetail> {
  const { items, nextCursor } = await earshot.listFeedback({ status: ['new'], sort: 'updated', limit: 5 })
  const cursor: string | null = nextCursor
  // @ts-expect-error no such status
  await earshot.listFeedback({ status: ['done'] })
  // @ts-expect-error a message is required
  await earshot.createFeedback({ type: 'bug' })
  const { number } = await earshot.createFeedback({ type: 'bug', message: cursor ?? '' }, { idempotencyKey: 'a' })
  console.log(number.toFixed(), new EarshotError(404, {}).code)
  return earshot.updateFeedback({ feedbackId: items[0]?.id ?? '', assigneeId: null }, { ifVersion: 3 })
}
`,
    )
    const config = {
      compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: ['node'] },
      files: ['types.ts'],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = await exec(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error) => error)
    expect(stdout).toBe('')
  })

  it('creates once, changes at a version, and says what was refused', async () => {
    const answers = await run(`
const { id } = await earshot.createFeedback({ type: 'idea', message: 'Dark mode' }, { idempotencyKey: 'once' })
const again = await earshot.createFeedback({ type: 'idea', message: 'Dark mode' }, { idempotencyKey: 'once' })
const item = await earshot.getFeedback({ feedbackId: id })
await earshot.updateFeedback({ feedbackId: id, priority: 'high' }, { ifVersion: item.version })
const refusals = []
for (const attempt of [
  () => earshot.updateFeedback({ feedbackId: id, priority: 'low' }, { ifVersion: item.version }),
  () => earshot.createFeedback({ type: 'idea', message: ' ' }),
  () => earshot.getFeedback({ feedbackId: '01a1fbfe-0000-7000-8000-000000000000' }),
]) await attempt().catch((error) => refusals.push([error instanceof EarshotError, error.status, error.code, error.fields]))
console.log(JSON.stringify({ isSame: id === again.id, refusals }))`)
    expect(answers).toEqual({
      isSame: true,
      refusals: [
        [true, 412, 'precondition_failed', []],
        [true, 400, 'validation_failed', [{ path: 'body.message', message: 'must not be blank' }]],
        [true, 404, 'feedback_not_found', []],
      ],
    })
  })

  it('waits for a server that is busy, and sends the same request again', async () => {
    const answers = await run(`
const sent = []
const patient = createClient({
  host: '${server.url}', key: process.env.EARSHOT_API_KEY,
  fetch: (url, request) => {
    sent.push(request.headers['idempotency-key'])
    if (sent.length === 1) return Promise.reject(new TypeError('fetch failed'))
    if (sent.length === 2) return Promise.resolve(new Response('{}', { status: 503, headers: { 'retry-after': '0.01' } }))
    return fetch(url, request)
  },
})
const { number } = await patient.createFeedback({ type: 'bug', message: 'Busy' })
console.log(JSON.stringify({ tries: sent.length, isSame: new Set(sent).size === 1, isStored: number > 0 }))`)
    expect(answers).toEqual({ tries: 3, isSame: true, isStored: true })
  })
})

describe('the API reference', () => {
  interface Reference {
    paths: Record<string, Record<string, { operationId: string; 'x-codeSamples': { lang: string; source: string }[] }>>
    components: { securitySchemes: object }
  }

  it('lists only the calls of a key, and every example runs', async () => {
    const reference = (await (await server.call('/api/v1/openapi.json')).json()) as Reference
    expect(Object.keys(reference.components.securitySchemes)).toEqual(['apiKey'])
    const operations = Object.values(reference.paths).flatMap((methods) => Object.values(methods))
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual([
      'apiAddComment',
      'apiChangeMany',
      'apiCreateExport',
      'apiCreateFeedback',
      'apiEraseVisitor',
      'apiGetExport',
      'apiGetExportFile',
      'apiGetFeedback',
      'apiGetProject',
      'apiGetVisitor',
      'apiListEvents',
      'apiListFeedback',
      'apiListVisitors',
      'apiUpdateFeedback',
    ])
    const readExport = async () =>
      (await server.call(`/api/v1/exports/${env.EXPORT_ID}`, { token: env.EARSHOT_API_KEY ?? '' })).json()
    await expect.poll(readExport, { timeout: 15_000 }).toMatchObject({ state: 'ready' })
    const ran = await Promise.all(
      operations.flatMap(({ operationId, 'x-codeSamples': samples }) =>
        samples.map(async ({ lang, source }) => {
          const file = join(folder, `${operationId}.mjs`)
          if (lang === 'javascript') await writeFile(file, source)
          const { stdout } = await (lang === 'javascript'
            ? exec(process.execPath, [file], { cwd: folder, env })
            : exec('sh', ['-c', source.replace('curl ', 'curl --silent --fail-with-body ')], { env }))
          return [operationId, lang, stdout.length > 10]
        }),
      ),
    )
    expect(ran).toHaveLength(operations.length * 2)
    expect(ran.filter(([, , hasAnswer]) => !hasAnswer)).toEqual([])
    // The page shows the same.
    const page = (await (await server.call('/api/docs/json')).json()) as Reference
    expect(Object.keys(page.paths)).toEqual(Object.keys(reference.paths))
  })
})
