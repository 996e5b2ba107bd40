/*
 * Sign-in by password and refresh of a session, over HTTP, beside the limit of each: argon2id alone, and one durable
 * update of one row. Run: npm run bench -- sign-in
 */
import pg from 'pg'
import { hashPassword, isPasswordCorrect } from '#server/features/auth/accounts/password.ts'
import { builtPassword, createUser } from '#server/testing/builders.ts'
import { type LoadResult, measureLoad, openPoster, type Poster } from './harness/load.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { median, percentile, printTable } from './harness/table.ts'

const widths = [2, 16, 64]
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 1_000)
const measureMs = Number(process.env.BENCH_MEASURE_MS ?? 5_000)
const userCount = 200

interface Place {
  readonly poster: Poster
  readonly key: string
  readonly emails: readonly string[]
  readonly passwordHash: string
}

const server = await startBenchServer({
  GOTRUE_RATE_LIMIT_TOKEN_REFRESH: '1000000',
  // Each request has its own IP address, as in reality: one address would make all wait for one bucket.
  TRUST_PROXY: '127.0.0.1/32',
})
const poster = openPoster(server.port, Math.max(...widths))
try {
  const place = await makePlace(server)
  const rows: string[][] = []
  for (const width of widths) {
    rows.push(await measureRow('sign-in', width, (lane, turn) => signIn(place, lane + turn * width), verify(place)))
  }
  for (const width of widths) {
    const tokens = await Promise.all(Array.from({ length: width }, (_, lane) => signIn(place, lane)))
    const refreshNext = async (lane: number, turn: number) => {
      tokens[lane] = await post(place, 'refresh_token', { refresh_token: tokens[lane] }, lane + turn * width)
    }
    rows.push(await measureRow('refresh', width, refreshNext, await openUpdates(width)))
  }
  process.stdout.write(
    `\nSign-in by password and refresh, median of ${rounds} rounds of ${measureMs / 1000} s. Peer of sign-in: argon2id alone, ` +
      'checked as often at a time in a process that does nothing else; the ratio is its share of a sign-in’s cost. Peer ' +
      'of refresh: one durable update of one row.\n\n',
  )
  printTable(
    ['what', 'at a time', 'per s', 'peer per s', 'ratio', 'median ms', 'p95 ms', 'peer median ms', 'senders’ cores'],
    rows,
  )
} finally {
  poster.close()
  await server.stop()
}

/** The limiting work, done alone. */
interface Peer {
  work(lane: number): Promise<void>
  close(): Promise<void>
}

async function measureRow(
  name: string,
  width: number,
  work: (lane: number, turn: number) => Promise<unknown>,
  peer: Peer,
): Promise<string[]> {
  const ours: LoadResult[] = []
  const theirs: LoadResult[] = []
  for (let round = 0; round < rounds; round += 1) {
    await server.sql.query('checkpoint')
    ours.push(
      await measureLoad({
        width,
        warmUpMs,
        measureMs,
        work: async (lane, turn) => {
          await work(lane, turn)
        },
      }),
    )
    theirs.push(await measureLoad({ width, warmUpMs, measureMs, work: (lane) => peer.work(lane) }))
  }
  await peer.close()
  const middle = (results: readonly LoadResult[], pick: (result: LoadResult) => number) => median(results.map(pick))
  const rate = middle(ours, (result) => result.perSecond)
  const peerRate = middle(theirs, (result) => result.perSecond)
  return [
    name,
    String(width),
    rate.toFixed(0),
    peerRate.toFixed(0),
    (rate / peerRate).toFixed(2),
    middle(ours, (result) => median(result.durationsMs)).toFixed(1),
    middle(ours, (result) => percentile(result.durationsMs, 0.95)).toFixed(1),
    middle(theirs, (result) => median(result.durationsMs)).toFixed(1),
    middle(ours, (result) => result.ownCores).toFixed(2),
  ]
}

async function makePlace({ sql, url }: BenchServer): Promise<Place> {
  const { supabaseAnonKey } = (await (await fetch(`${url}/api/v1/config`)).json()) as { supabaseAnonKey: string }
  const emails: string[] = []
  for (let index = 0; index < userCount; index += 1) emails.push((await createUser(sql)).email)
  // Test users have the cheapest hashes: here they get the product's.
  const passwordHash = await hashPassword(builtPassword)
  await sql.query('update auth.users set encrypted_password = $1', [passwordHash])
  return { poster, key: supabaseAnonKey, emails, passwordHash }
}

/** @returns the session's refresh token. */
function signIn(place: Place, index: number): Promise<string> {
  const email = place.emails[index % place.emails.length]
  return post(place, 'password', { email, password: builtPassword }, index)
}

async function post(place: Place, grant: string, body: unknown, index: number): Promise<string> {
  const from = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
  const headers = { apikey: place.key, 'x-forwarded-for': from }
  const answer = await place.poster.post(`/auth/v1/token?grant_type=${grant}`, body, headers)
  return (JSON.parse(answer) as { refresh_token: string }).refresh_token
}

function verify({ passwordHash }: Place): Peer {
  return {
    work: async () => {
      if (!(await isPasswordCorrect(builtPassword, passwordHash))) throw new Error('the password is not correct')
    },
    close: async () => {},
  }
}

/** As many connections, each with its own row, like refreshes of different sessions. */
async function openUpdates(width: number): Promise<Peer> {
  const clients = Array.from({ length: width }, () => new pg.Client({ connectionString: server.databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  const { rows } = await server.sql.query<{ id: string }>('select id from auth.sessions limit $1', [width])
  return {
    work: async (lane) => {
      const result = await clients[lane]?.query({
        name: 'update',
        text: 'update auth.sessions set refresh_token_counter = refresh_token_counter, refreshed_at = now() where id = $1',
        values: [rows[lane]?.id],
      })
      if (result?.rowCount !== 1) throw new Error('the peer updated no row')
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}
