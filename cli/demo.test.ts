import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Check } from 'typebox/value'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { Attachment, AttachmentKind } from '#contract/files.ts'
import { Submission } from '#contract/widget.ts'
import { settings as allSettings } from '#server/settings.ts'
import { createUser } from '#server/testing/builders.ts'
import { createBlankDatabase, createTestDatabase } from '#server/testing/database.ts'
import { alignEvents, findRecordingStart } from '#web/features/feedback/context/align-events.ts'
import { readPageEvents } from '#web/features/feedback/context/read-page-events.ts'
import { type Product, startProduct } from '../e2e/start-product.ts'
import { composeDemo } from './demo/compose-demo.ts'
import { demoFiles } from './demo/demo-files.ts'
import { demoMembers, demoOrganization, demoPassword } from './demo/people.ts'

const folder = mkdtempSync(join(tmpdir(), 'earshot-demo-'))
// With the operator's own database, this folder has only files.
const operatorDir = join(folder, 'operator')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command with only these settings. */
async function runDemo(settings: Readonly<Record<string, string>>, ...options: string[]) {
  const ambient = Object.entries(process.env).filter(([name]) => !(name in allSettings))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'earshot.ts'), 'demo', ...options], {
    env: { ...Object.fromEntries(ambient), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout, stderr }
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

const fingerprintSql = `
  select (select md5(string_agg(f::text, '|' order by f.id)) from feedback f) as feedback,
         (select md5(string_agg(e::text, '|' order by e.id)) from feedback_events e) as events,
         (select md5(string_agg(c::text, '|' order by c.id)) from feedback_comments c) as comments,
         (select md5(string_agg(u::text, '|' order by u.id)) from auth.users u) as users`

describe('the demo’s content', () => {
  const now = new Date('2026-11-18T10:30:00Z')
  const { items, counts } = composeDemo(now)

  it('is the same for the same instant', () => {
    expect(composeDemo(now)).toEqual({ projects: expect.anything(), items, counts })
  })

  it('has about a thousand items over two years, with few duplicates', () => {
    expect(items.length).toBeGreaterThanOrEqual(800)
    expect(items.length).toBeLessThanOrEqual(1200)
    expect(new Set(items.map((item) => item.submission.message)).size).toBeGreaterThan(items.length * 0.85)
    const oldest = items[0]?.createdAt.getTime() ?? 0
    expect(now.getTime() - oldest).toBeGreaterThan(700 * 86_400_000)
    expect(now.getTime() - oldest).toBeLessThan(731 * 86_400_000)
  })

  it('has something for every chart, this year and the year before', () => {
    const yearAgo = now.getTime() - 365 * 86_400_000
    for (const year of [
      items.filter((item) => +item.createdAt > yearAgo),
      items.filter((item) => +item.createdAt <= yearAgo),
    ]) {
      expect(year.filter(({ submission }) => submission.rating !== undefined).length).toBeGreaterThan(60)
      expect(year.filter(({ submission }) => submission.nps !== undefined).length).toBeGreaterThan(40)
      expect(year.filter((item) => item.firstResponseAt !== null).length).toBeGreaterThan(60)
      expect(year.filter((item) => item.resolvedAt !== null).length).toBeGreaterThan(100)
      expect(new Set(year.map((item) => item.source)).size).toBeGreaterThan(3)
      expect(new Set(year.map(({ submission }) => submission.context?.language)).size).toBeGreaterThan(8)
    }
    expect(items.filter((item) => item.archivedAt !== null).length).toBeGreaterThan(100)
    expect(items.filter((item) => item.deletedAt !== null).length).toBeGreaterThan(0)
    expect(items.filter((item) => item.mergedInto !== null).length).toBeGreaterThan(5)
    for (const event of ['loaded', 'opened', 'submitted']) {
      expect(counts.filter((count) => count.event === event).length).toBeGreaterThan(300)
    }
  })

  it('could have been sent by the widget', () => {
    for (const { submission } of items) {
      expect(Check(Submission, submission), JSON.stringify(submission)).toBe(true)
      expect(submission.message + submission.page.url + submission.page.title).not.toMatch(/[{}]/)
      expect(submission.email ?? 'x@example.org').toMatch(/@example\.org$/)
    }
  })

  it('has a history from new to each item’s status, in order and not in the future', () => {
    for (const item of items) {
      const times = [item.createdAt, ...item.events.map((event) => event.at), now].map((time) => time.getTime())
      expect(times).toEqual([...times].sort((a, b) => a - b))
      const steps = item.events.filter((event) => event.field === 'status')
      expect([steps[0]?.from ?? item.status, steps.at(-1)?.to ?? item.status]).toEqual(['new', item.status])
      for (const [index, step] of steps.entries()) expect(step.from).toBe(steps[index - 1]?.to ?? 'new')
      expect(item.resolvedAt !== null).toBe(item.status === 'resolved' || item.status === 'closed')
      if (item.events.length > 0) expect(item.firstViewedAt).not.toBeNull()
    }
  })

  it('has tags, scores, known visitors, notes, replies, and some untouched spam', () => {
    const spam = items.filter((item) => item.spamReason !== null)
    expect(spam.length).toBeGreaterThan(4)
    expect(spam.every((item) => item.status === 'new' && item.comments.length === 0)).toBe(true)
    const kinds = items.flatMap((item) => item.comments.map(({ kind }) => kind))
    expect(kinds.filter((kind) => kind === 'reply').length).toBeGreaterThan(10)
    expect(kinds.filter((kind) => kind === 'note').length).toBeGreaterThan(10)
    const answers = items.flatMap((item) => item.comments.filter(({ authorUserId }) => authorUserId === null))
    expect(answers.length).toBeGreaterThan(10)
    expect(items.filter(({ submission }) => submission.tags).length).toBeGreaterThan(50)
    expect(items.filter(({ submission }) => submission.nps !== undefined).length).toBeGreaterThan(20)
    expect(items.filter((item) => item.visitorVerified).length).toBeGreaterThan(50)
    const ids = items.flatMap(({ submission }) => (submission.visitor ? [submission.visitor.id] : []))
    expect(ids.length).toBeGreaterThan(new Set(ids).size * 3)
    for (const item of items) {
      for (const { at } of item.comments) expect(at.getTime()).toBeLessThanOrEqual(now.getTime())
    }
  })

  it('has files of every kind, each with a fitting text, today and before', () => {
    const withFiles = items.filter((item) => item.files.length > 0)
    expect(withFiles.length).toBeGreaterThan(20)
    expect(withFiles.filter((item) => +now - +item.createdAt < 86_400_000).length).toBeGreaterThan(4)
    expect(withFiles.filter((item) => +now - +item.createdAt > 30 * 86_400_000).length).toBeGreaterThan(4)
    expect(new Set(withFiles.flatMap((item) => item.files.map(({ file }) => file)))).toEqual(
      new Set(Object.values(demoFiles)),
    )
    for (const { submission, files, createdAt } of withFiles) {
      expect(submission.attachments?.map(({ id }) => id)).toEqual(files.map(({ id }) => id))
      // The picture has the size of that visitor's screen.
      for (const { file } of files) {
        if (file.window) expect(submission.context).toMatchObject({ viewport: { width: file.window.width } })
      }
      const { console, network, routes } = readPageEvents(submission.context ?? {}, createdAt.getTime())
      for (const { beforeMs } of [...console, ...network, ...routes]) expect(beforeMs).toBeGreaterThan(0)
    }
  })

  it('shows a file of each kind in the inbox, whenever it is made', () => {
    for (let hours = 0; hours < 40 * 24; hours += 29) {
      const shown = composeDemo(new Date(now.getTime() + hours * 3_600_000)).items.filter(
        (item) =>
          item.archivedAt === null && item.deletedAt === null && item.mergedInto === null && item.spamReason === null,
      )
      const kinds = new Set(shown.flatMap(({ files }) => files.map(({ file }) => file.kind)))
      expect([...kinds].sort(), `${hours} h later`).toEqual(['file', 'replay', 'screen', 'screenshot', 'voice'])
    }
  })

  it('has every status, priority and type', () => {
    const count = (values: string[]) => new Set(values).size
    expect(count(items.map((item) => item.status))).toBe(5)
    expect(count(items.map((item) => item.priority))).toBe(5)
    expect(count(items.map((item) => item.submission.type))).toBe(5)
  })
})

describe('npm run demo', { timeout: 240_000 }, () => {
  let product: Product | undefined
  afterEach(async () => {
    await product?.stop()
    product = undefined
  })

  it('fills a stopped instance; all members can sign in once it runs, and none is superadmin', async () => {
    const dataDir = join(folder, 'data')
    const first = await runDemo({ DATA_DIR: dataDir })
    expect(first.stderr).toBe('')
    expect(first.code).toBe(0)
    expect(first.stdout).toContain('is filled')
    expect(first.stdout).toContain('start Earshot first')
    const fileCount = countFiles(dataDir)
    expect(fileCount).toBeGreaterThan(30)
    for (const { email, role } of demoMembers) {
      expect(first.stdout).toMatch(new RegExp(`${role} +${email} +${demoPassword}`))
    }

    // Without ffmpeg, its derivatives exist nevertheless.
    product = await startProduct({ DATA_DIR: dataDir, FFMPEG_PATH: '/nowhere/ffmpeg' })
    const { supabaseAnonKey } = (await (await fetch(`${product.url}/api/v1/config`)).json()) as Record<string, string>
    const headers = { apikey: supabaseAnonKey ?? '', 'content-type': 'application/json' }
    for (const { id, email } of demoMembers) {
      const session = await post<{ access_token: string }>(
        `${product.url}/auth/v1/token?grant_type=password`,
        { email, password: demoPassword },
        headers,
      )
      const own = { ...headers, authorization: `Bearer ${session.access_token}` }
      expect(await post(`${product.url}/rest/v1/rpc/is_superadmin`, { user_id: id }, own)).toBe(false)
      const inbox = await fetch(`${product.url}/api/v1/organizations/${demoOrganization.id}/feedback?limit=100`, {
        headers: own,
      })
      const { items } = (await inbox.json()) as { items: unknown[] }
      expect(items).toHaveLength(100)
      if (email === demoMembers[0]?.email) {
        await expectSomethingEverywhere(product.url, own)
        await expectPlayableFiles(product.url, own)
      }
    }

    // While the product runs.
    const second = await runDemo({ DATA_DIR: dataDir, PORT: new URL(product.url).port })
    expect(second.code).toBe(0)
    expect(second.stdout).toContain('Nothing was changed')
    expect(second.stdout).not.toContain('start Earshot first')
    const again = await runDemo({ DATA_DIR: dataDir, PORT: new URL(product.url).port }, '--reset')
    expect(again.code).toBe(0)
    expect(again.stdout).toContain('is filled')
    expect((await fetch(`${product.url}/ready`)).status).toBe(200)
    // The product removes the previous demo's files, and writes its two exports.
    await expect.poll(() => countFiles(dataDir), { timeout: 30_000 }).toBe(fileCount + 2)
  })

  it('migrates and fills the operator’s database, changes nothing the second time, and recreates the demo', async () => {
    const database = await createBlankDatabase()
    try {
      expect(await runDemo({ DATABASE_URL: database.url, DATA_DIR: operatorDir })).toMatchObject({
        code: 0,
        stderr: '',
      })
      const counts = await query(
        database.url,
        `select (select count(*)::int from feedback) as feedback, (select count(*)::int from projects) as projects,
                (select count(*)::int from memberships) as members, (select count(*)::int from organizations) as organizations,
                (select count(*)::int from app.superadmins) as superadmins,
                (select sum(feedback_count)::int from project_counters) as counted,
                (select count(*)::int from feedback_events) > 500 as has_history,
                (select count(*)::int from visitors) > 30 as has_visitors`,
      )
      const feedback = counts[0]?.feedback
      expect(counts).toEqual([
        {
          feedback,
          projects: 3,
          members: 5,
          organizations: 1,
          superadmins: 0,
          counted: feedback,
          has_history: true,
          has_visitors: true,
        },
      ])
      const before = await query(database.url, fingerprintSql)
      expect((await runDemo({ DATABASE_URL: database.url, DATA_DIR: operatorDir })).stdout).toContain(
        'Nothing was changed',
      )
      expect(await query(database.url, fingerprintSql)).toEqual(before)
      expect((await runDemo({ DATABASE_URL: database.url, DATA_DIR: operatorDir }, '--reset')).code).toBe(0)
      expect(await query(database.url, 'select count(*)::int as count from feedback')).toEqual([{ count: feedback }])
      expect(await query(database.url, fingerprintSql)).not.toEqual(before)

      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      const first = await createUser(client).finally(() => client.end())
      expect(await query(database.url, 'select user_id from app.superadmins')).toEqual([{ user_id: first.id }])
    } finally {
      await database.drop()
    }
  })

  it('changes no other organisation, and refuses an address of another account', async () => {
    const database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      const ada = await createUser(client, { organizationName: demoOrganization.name })
      expect(await runDemo({ DATABASE_URL: database.url, DATA_DIR: operatorDir })).toMatchObject({
        code: 0,
        stderr: '',
      })
      expect(await runDemo({ DATABASE_URL: database.url, DATA_DIR: operatorDir }, '--reset')).toMatchObject({
        code: 0,
        stderr: '',
      })
      const { rows } = await client.query('select id from organizations order by id = $1', [demoOrganization.id])
      expect(rows).toEqual([{ id: ada.organizationId }, { id: demoOrganization.id }])

      await client.query('delete from organizations where id = $1', [demoOrganization.id])
      await client.query('delete from auth.users where email = $1', [demoMembers[1]?.email])
      await createUser(client, { email: demoMembers[1]?.email ?? '' })
      const before = await query(database.url, fingerprintSql)
      const fileCount = countFiles(operatorDir)
      const refused = await runDemo({ DATABASE_URL: database.url, DATA_DIR: operatorDir })
      expect(refused.code).toBe(1)
      expect(refused.stderr.trim().split('\n')).toEqual([expect.stringContaining(demoMembers[1]?.email ?? '')])
      expect(await query(database.url, fingerprintSql)).toEqual(before)
      expect(countFiles(operatorDir)).toBe(fileCount)
    } finally {
      await client.end()
      await database.drop()
    }
  })

  it('refuses, in one line', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, 'mine')
    const refusals = await Promise.all([
      runDemo({ DATA_DIR: file }),
      runDemo({ DATABASE_URL: 'postgres://someone:s3cret@127.0.0.1:1/earshot' }),
      runDemo({ DATA_DIR: join(folder, 'unused') }, '--password', 'short'),
      runDemo({ DATA_DIR: join(folder, 'unused'), NODE_ENV: 'production' }),
    ])
    const mistyped = await runDemo({ DATA_DIR: join(folder, 'unused') }, '--rest')
    expect([mistyped.code, ...refusals.map(({ code }) => code)]).toEqual([2, 1, 1, 1, 1])
    for (const { stderr, stdout } of [mistyped, ...refusals]) {
      expect(stdout).toBe('')
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr).not.toContain('s3cret')
    }
  })
})

/** No table derived from items stays empty. */
async function expectSomethingEverywhere(url: string, headers: Record<string, string>): Promise<void> {
  const read = async (path: string) => {
    const reply = await fetch(`${url}/api/v1/organizations/${demoOrganization.id}${path}`, { headers })
    expect(reply.status, path).toBe(200)
    return ((await reply.json()) as { items: Record<string, unknown>[] }).items
  }
  // Finds a mistyped word.
  expect((await read('/feedback?q=chekout')).length).toBeGreaterThan(5)
  expect((await read('/visitors')).length).toBeGreaterThan(20)
  const views = await read('/views')
  expect(views.filter(({ isShared }) => isShared === true).length).toBeGreaterThan(2)
  expect(views.filter(({ isOwn, isShared }) => isOwn === true && isShared === false)).toHaveLength(1)
  const [imported] = await read('/imports')
  expect(imported).toMatchObject({ state: 'imported', refused: 2, undoUntil: expect.any(String) })
  expect(imported?.accepted).toBeGreaterThan(0)
  await expect
    .poll(async () => (await read('/exports')).map(({ state }) => state), { timeout: 30_000 })
    .toEqual(['ready', 'ready'])
}

const wantedTypes: Readonly<Record<AttachmentKind, string>> = {
  screenshot: 'image/webp',
  voice: 'audio/webm',
  screen: 'video/webm',
  replay: 'application/json',
  file: 'text/plain',
}

/** Fetches one file of each kind as the inbox does. */
async function expectPlayableFiles(url: string, headers: Record<string, string>): Promise<void> {
  const api = `${url}/api/v1/organizations/${demoOrganization.id}/feedback`
  const read = async <Reply>(path: string) => (await (await fetch(api + path, { headers })).json()) as Reply
  for (const [kind, type] of Object.entries(wantedTypes)) {
    const { items } = await read<{ items: { id: string }[] }>(`?media=${kind}`)
    expect(items.length, kind).toBeGreaterThan(0)
    const item = await read<FeedbackDetail>(`/${items[0]?.id}`)
    const attachment = item.attachments.find((each) => each.kind === kind)
    expect(attachment).toMatchObject({ state: 'ready', note: null, bytes: expect.any(Number) })
    if (!attachment) continue
    const bytes = await fetchFile(url, attachment.url, type)
    await expectForm(url, item, attachment, bytes)
  }
}

async function expectForm(url: string, item: FeedbackDetail, attachment: Attachment, bytes: Buffer): Promise<void> {
  const { kind, durationMs, width, height, waveform, playbackUrl, posterUrl } = attachment
  const context = item.context as Record<string, unknown>
  switch (kind) {
    case 'screenshot':
      expect(width).toBeGreaterThan(700)
      expect(height).toBeGreaterThan(700)
      break
    case 'voice':
      expect(durationMs).toBeGreaterThan(5_000)
      expect(waveform?.length).toBeGreaterThan(100)
      await fetchFile(url, playbackUrl, 'audio/mp4')
      break
    case 'screen':
      expect(width).toBe(960)
      await fetchFile(url, playbackUrl, 'video/mp4')
      await fetchFile(url, posterUrl, 'image/jpeg')
      expect(
        alignEvents(context, {
          startedAtMs: findRecordingStart(attachment.id) ?? 0,
          durationMs: durationMs ?? 0,
        }).length,
      ).toBeGreaterThan(3)
      break
    case 'replay': {
      const events = JSON.parse(bytes.toString()) as { timestamp: number }[]
      const startedAtMs = events[0]?.timestamp ?? 0
      expect(startedAtMs).toBeLessThan(Date.parse(item.createdAt))
      expect(alignEvents(context, { startedAtMs, durationMs: durationMs ?? 0 }).length).toBeGreaterThan(3)
      break
    }
    default:
      expect(bytes.toString()).toContain('TypeError')
  }
}

async function fetchFile(url: string, path: string | null, type: string): Promise<Buffer> {
  const reply = await fetch(url + path)
  expect([reply.status, reply.headers.get('content-type')?.split(';')[0]]).toEqual([200, type])
  return Buffer.from(await reply.arrayBuffer())
}

function countFiles(dataDir: string): number {
  return readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    .length
}

async function post<Reply>(url: string, body: unknown, headers: Record<string, string>): Promise<Reply> {
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as Reply
}
