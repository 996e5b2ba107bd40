import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Storage } from '#server/platform/storage/storage.ts'
import { createFeedback, createProject, createUser } from './builders.ts'
import { createTenant } from './tenant.ts'

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const alphabets = [
  'abc ',
  'äöüß',
  '日本語のテキスト',
  '👩‍💻🏳️‍🌈',
  'مرحبا',
  '\\N\\t\\\\',
  '\t\n\r"\',;',
  '\u0001\u007f',
  '\\.',
  'null',
]

/** Text that trips over encodings, escapes and separators. */
function makeText(random: () => number, longest: number): string {
  const pieces = Array.from({ length: 1 + Math.floor(random() * 8) }, () => {
    const alphabet = alphabets[Math.floor(random() * alphabets.length)] ?? ''
    return alphabet.repeat(1 + Math.floor(random() * 4))
  })
  const text = pieces.join('')
  return random() < 0.1
    ? text
        .repeat(Math.ceil(longest / text.length))
        .slice(0, longest)
        .toWellFormed()
    : text
}

/**
 * Fills a migrated database and a storage: a row in every table, then random items, accounts and files.
 */
export async function fillRandomly(client: pg.Client, storage: Storage, seed: number): Promise<void> {
  const random = createRandom(seed)
  const some = (most: number) => Math.floor(random() * (most + 1))
  await createTenant(client)
  for (let i = some(3); i >= 0; i--) {
    const owner = await createUser(client, { fullName: `Ada ${makeText(random, 60).slice(0, 60).toWellFormed()}` })
    if (!owner.organizationId) throw new Error('Sign-up made no organisation.')
    const { organizationId } = owner
    const project = await createProject(client, { organizationId })
    for (let j = some(30); j >= 0; j--) {
      await createFeedback(client, { organizationId, projectId: project.id, message: makeText(random, 5_000) })
    }
    for (let j = some(4); j >= 0; j--) await addFile(client, storage, { organizationId, projectId: project.id }, random)
  }
}

/** A file with its row: small, empty, of a megabyte, or still arriving. */
async function addFile(
  client: pg.Client,
  storage: Storage,
  { organizationId, projectId }: { organizationId: string; projectId: string },
  random: () => number,
): Promise<void> {
  const id = randomUUID()
  const key = `${organizationId}/${randomUUID()}`
  const isReceiving = random() < 0.2
  const content = randomBytes(random() < 0.2 ? 1024 * 1024 + 7 : Math.floor(random() * 3_000))
  await storage.append(key, one(content), 0)
  if (!isReceiving) await storage.finish(key)
  const hasPoster = !isReceiving && random() < 0.3
  if (hasPoster) await storage.write(`${key}.jpg`, one(Buffer.from('poster')), 6)
  await client.query(
    `insert into public.uploads (organization_id, id, project_id, state, kind, name, bytes, storage_key, poster_key, mime, completed_at)
     values ($1, $2, $3, $4, 'file', $5, $6, $7, $8, $9, $10)`,
    [
      organizationId,
      id,
      projectId,
      isReceiving ? 'receiving' : 'ready',
      makeText(random, 200).slice(0, 200).toWellFormed(),
      content.length,
      key,
      hasPoster ? `${key}.jpg` : null,
      isReceiving ? null : 'application/octet-stream',
      isReceiving ? null : new Date(),
    ],
  )
}

async function* one(content: Buffer): AsyncIterable<Uint8Array> {
  yield content
}

/**
 * A hash of the rows of each table, in any order, and how many there are. Left out, as from backups: tables in which migrations
 * are noted, the switch for maintenance, and the lines of the log with what finds them.
 */
export async function hashRows(client: pg.Client): Promise<Record<string, string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('auth', 'app', 'public', 'graphile_worker') and tablename not in (
       'schema_migrations', 'migrations', 'read_only_periods', 'app_logs', 'log_parts', 'log_blocks', 'log_words', 'log_writers')
     order by 1`,
  )
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash from ${name} t`,
    )
    hashes[name] = rows[0]?.hash ?? ''
  }
  return hashes
}

/** A hash of each file that a row names, as the storage has it. */
export async function hashFiles(client: pg.Client, storage: Storage): Promise<Record<string, string>> {
  const { rows } = await client.query<{ key: string }>(
    `select key from (select storage_key from public.uploads union select poster_key from public.uploads) as k (key)
     where key ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}' order by 1`,
  )
  const hashes: Record<string, string> = {}
  for (const { key } of rows) {
    const bytes = (await storage.stat(key))?.bytes ?? (await storage.received(key))
    if (bytes === 0) continue
    const hash = createHash('sha256')
    for await (const chunk of (await storage.stat(key)) ? await storage.read(key) : await storage.readReceived(key)) {
      hash.update(chunk)
    }
    hashes[key] = hash.digest('hex')
  }
  return hashes
}
