/*
 * From the first schema with BENCH_ITEMS items (default 1,000,000) to now, while others write and read items: the time of each
 * migration, the longest wait of a writer, and whether every item is as it was. Then the app is used. Run:
 * npm run bench -- upgrade
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { migrate } from '#server/platform/database/migrate.ts'
import { builtPassword } from '#server/testing/builders.ts'
import { hashItems } from '#server/testing/compare-items.ts'
import { type FirstInstance, fillFirstSchema, makeFirstSchema } from '#server/testing/first-schema.ts'
import { startThrowawayPostgres } from '#server/testing/throwaway-postgres.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'
import { findFreePorts, spawnProduct } from '../e2e/start-product.ts'
import { printTable } from './harness/table.ts'

const items = Number(process.env.BENCH_ITEMS ?? 1_000_000)
const everyMs = 20
const shownMs = 250

interface Ran {
  readonly name: string
  readonly durationMs: number
  readonly longestWriteMs: number
  readonly longestReadMs: number
}

const server = await startThrowawayPostgres()
const client = new pg.Client({ connectionString: server.url })
try {
  await client.connect()
  await makeFirstSchema(server.url)
  const filled = await timed(() => fillFirstSchema(client, items))
  const before = await hashItems(client)
  process.stdout.write(`${items} items at the first schema, written in ${seconds(filled.ms)} s.\n`)
  const upgraded = await upgrade(filled.result)
  const { rows } = await client.query<{ n: number }>(`with gone as (
    delete from public.feedback where source = 'test' returning 1) select count(*)::int as n from gone`)
  const isEqual = isDeepStrictEqual(await hashItems(client), before)
  const works = await tryApp(filled.result)
  process.stdout.write(
    `\nUpgraded in ${seconds(upgraded.ms)} s. Every item as it was: ${isEqual ? 'yes' : 'NO'}. ${upgraded.written} items written meanwhile, ${rows[0]?.n} of them there. The app: ${works}.\nMigrations above ${shownMs} ms, and the longest wait of someone else:\n\n`,
  )
  printTable(
    ['migration', 's', 'a writer waited s', 'a reader waited s'],
    upgraded.ran
      .filter(({ durationMs, longestWriteMs }) => durationMs >= shownMs || longestWriteMs >= shownMs)
      .map(({ name, durationMs, longestWriteMs, longestReadMs }) => [
        name,
        seconds(durationMs),
        seconds(longestWriteMs),
        seconds(longestReadMs),
      ]),
  )
} finally {
  await client.end()
  await server.stop()
}

async function upgrade(instance: FirstInstance): Promise<{ ms: number; ran: Ran[]; written: number }> {
  const ran: Ran[] = []
  let isOver = false
  let written = 0
  const longest = { write: 0, read: 0 }
  // A statement that waits for several migrations counts for each.
  const since: { write: number | undefined; read: number | undefined } = { write: undefined, read: undefined }
  const note = (kind: 'write' | 'read') => {
    const now = performance.now()
    longest[kind] = Math.max(longest[kind], now - (since[kind] ?? now))
    return now
  }
  const keep = async (kind: 'write' | 'read', act: (other: pg.Client) => Promise<unknown>) => {
    const other = new pg.Client({ connectionString: server.url })
    await other.connect()
    // Keys of rows that it writes are right.
    await other.query('set session_replication_role = replica')
    for (; !isOver; await pause(everyMs)) {
      since[kind] = performance.now()
      await act(other)
      note(kind)
      since[kind] = undefined
    }
    await other.end()
  }
  const load = Promise.all([
    keep('write', async (other) => {
      await other.query(
        `insert into public.feedback (organization_id, id, project_id, number, type, source, message, page_url, content_hash, search)
         values ($1, gen_random_uuid(), $2, $3, 'bug', 'test', 'It does nothing', 'https://site.example.com/', sha256('x'), '')`,
        [instance.organizationId, instance.projectId, 100_000_000 + written],
      )
      written += 1
    }),
    keep('read', (other) =>
      other.query(
        'select id, message from public.feedback where organization_id = $1 order by created_at desc, id desc limit 50',
        [instance.organizationId],
      ),
    ),
  ])
  const { ms } = await timed(() =>
    migrate({
      url: server.url,
      log: { info: () => {}, warn: () => {} },
      onStep: (step) => {
        if (step.kind === 'running') process.stdout.write(`  ${step.name}: ${step.seconds} s ${step.detail}\n`)
        if (step.kind !== 'done') return
        for (const kind of ['write', 'read'] as const) {
          const now = note(kind)
          if (since[kind] !== undefined) since[kind] = now
        }
        ran.push({
          name: step.name,
          durationMs: step.durationMs,
          longestWriteMs: longest.write,
          longestReadMs: longest.read,
        })
        longest.write = 0
        longest.read = 0
      },
    }),
  )
  isOver = true
  await load
  return { ms, ran, written }
}

/** Signs in, lists, searches and submits. */
async function tryApp({ organizationId, ownerEmail, widgetKey, domain }: FirstInstance): Promise<string> {
  const [port = 0] = await findFreePorts(1)
  const url = `http://127.0.0.1:${port}`
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-upgrade-'))
  const product = spawnProduct({
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: url,
    DATA_DIR: dataDir,
    DATABASE_URL: server.url,
    LOG_LEVEL: 'warn',
  })
  try {
    await product.ready
    const { supabaseAnonKey: apikey } = (await (await fetch(`${url}/api/v1/config`)).json()) as {
      supabaseAnonKey: string
    }
    const session = (await (
      await fetch(`${url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey, 'content-type': 'application/json' },
        body: JSON.stringify({ email: ownerEmail, password: builtPassword }),
      })
    ).json()) as { access_token: string }
    const get = async (query: string) => {
      const startedAt = performance.now()
      const reply = await fetch(`${url}/api/v1/organizations/${organizationId}/feedback${query}`, {
        headers: { apikey, authorization: `Bearer ${session.access_token}` },
      })
      const { items: found } = (await reply.json()) as { items: unknown[] }
      return `${found.length} items in ${Math.round(performance.now() - startedAt)} ms`
    }
    const list = await get('')
    const search = await get('?q=checkout%20number%20104')
    const sent = await submit({ url }, widgetKey, makeSubmission(), { origin: `https://${domain}` })
    return `list ${list}, search ${search}, submission ${sent.status}`
  } finally {
    product.child.kill('SIGINT')
    await product.ended
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startedAt }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
