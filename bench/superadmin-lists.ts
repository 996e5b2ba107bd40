/*
 * Lists of the superadmins' area on an instance of 100,000 users and 10,000 organisations, beside one of 1,000 and 100: over HTTP as a superadmin, both
 * instances in turns. Run: npm run bench -- superadmin-lists
 */
import { createUser } from '#server/testing/builders.ts'
import { signIn } from './harness/owner.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { percentile, printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_REQUESTS ?? 200)
const warmUpRounds = 20
const target = 1.5
const sizes = [1_000, 100_000] as const
/** Users for each organisation. */
const organizationShare = 10

interface Instance {
  readonly server: BenchServer
  readonly token: string
  /** Of a page in the middle of the list. */
  readonly cursor: string
  /** A plan that half of the organisations have, and one that one of 50 has. */
  readonly plans: { readonly common: string; readonly rare: string }
}

/** With a limit where the small instance has less than a page: pages of as many rows are compared. */
const reads: Readonly<Record<string, (instance: Instance) => string>> = {
  'users, latest first': () => '/users',
  'users, oldest first': () => '/users?order=oldest',
  'users, in the middle': ({ cursor }) => `/users?cursor=${cursor}`,
  'users, a rare name': () => '/users?search=user-777%40',
  'users, a name that most have': () => '/users?search=example',
  'users, no match': () => '/users?search=no-such-person',
  'users, banned': () => '/users?state=banned&limit=10',
  'users, unconfirmed': () => '/users?state=unconfirmed&limit=20',
  'users, superadmins': () => '/users?state=superadmin',
  'organisations, latest first': () => '/organizations',
  'organisations, by name': () => '/organizations?order=name',
  'organisations, a rare name': () => '/organizations?search=team-77-',
  'organisations, a name that all have': () => '/organizations?search=team',
  'organisations, no match': () => '/organizations?search=no-such-team',
  'organisations, being deleted': () => '/organizations?state=closed&limit=1',
  'organisations, suspended': () => '/organizations?state=suspended&limit=2',
  'organisations, a common status': () => '/organizations?status=active',
  'organisations, a rare status': () => '/organizations?status=past_due&limit=2',
  'organisations, a rare status by name': () => '/organizations?status=past_due&order=name&limit=2',
  'organisations, a common plan': ({ plans }) => `/organizations?planId=${plans.common}`,
  'organisations, a rare plan by name': ({ plans }) => `/organizations?planId=${plans.rare}&order=name&limit=2`,
  'organisations, two filters that match none': ({ plans }) => `/organizations?planId=${plans.rare}&status=active`,
  'users, of one organisation': () => '/users?organizationId=00000000-0000-7000-8000-000000000001',
  'subscriptions, latest first': () => '/subscriptions',
  'subscriptions, a status': () => '/subscriptions?status=active',
}

/**
 * One user of 100 is banned, one of 50 is unconfirmed; one organisation of 100 is being deleted, one of 50 is suspended, and one of 50
 * has a rare status and plan. Who is invited by the operator gets no organisation.
 */
async function addUsers({ sql }: BenchServer, count: number): Promise<void> {
  await sql.query(
    `insert into auth.users (id, email, invited_at, email_confirmed_at, banned_until, raw_user_meta_data, created_at)
     select gen_random_uuid(), 'user-' || n || '@example.com', now(), case when n % 50 > 0 then now() end,
       case when n % 100 = 0 then now() + interval '1 year' end, jsonb_build_object('full_name', 'Person ' || n),
       now() - n * interval '1 minute'
     from generate_series(1, $1::integer) n`,
    [count],
  )
  await sql.query(
    `insert into organizations (name, slug, created_at, closed_at, delete_after, suspended_at, subscription_status,
       subscription_plan_id)
     select 'Team ' || n, 'team-' || n || '-of-example', now() - n * interval '1 hour', d.at, d.at + interval '30 days',
       case when n % 50 = 1 then now() end, case n % 50 when 0 then 'past_due' when 1 then 'expired' else case when n % 2 = 0 then 'active' else 'canceled' end end,
       case when n % 50 = 0 then p.rare when n % 2 = 0 then p.common end
     from generate_series(1, $1::integer) n
     cross join lateral (select case when n % 100 = 0 then now() end as at) d
     cross join (select min(id::text)::uuid as common, max(id::text)::uuid as rare from plans) p`,
    [count / organizationShare],
  )
  // With as many members on both instances.
  await sql.query(
    `insert into organizations (id, name, slug) values ('00000000-0000-7000-8000-000000000001', 'Members', 'members')`,
  )
  await sql.query(
    `insert into memberships (organization_id, user_id, role)
     select '00000000-0000-7000-8000-000000000001', user_id, 'owner' from app.accounts order by created_at limit 60`,
  )
  await sql.query('vacuum analyze')
}

async function read({ server, token }: Pick<Instance, 'server' | 'token'>, path: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/superadmin${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.text()
}

async function makeInstance(count: number): Promise<Instance> {
  const server = await startBenchServer({ API_RATE_PER_MINUTE: '1000000' }, `superadmin-lists-${count}`)
  const token = await signIn(server, (await createUser(server.sql)).email)
  await addUsers(server, count)
  let cursor = ''
  for (let page = 0; page < 5; page += 1) {
    // As the contract says.
    const { nextCursor } = JSON.parse(
      await read({ server, token }, `/users?limit=100${cursor && `&cursor=${cursor}`}`),
    ) as {
      nextCursor: string
    }
    cursor = nextCursor
  }
  const { rows } = await server.sql.query<Instance['plans']>(
    'select min(id::text) as common, max(id::text) as rare from plans',
  )
  const [plans = { common: '', rare: '' }] = rows
  return { server, token, cursor, plans }
}

const instances: Instance[] = []
try {
  for (const size of sizes) instances.push(await makeInstance(size))
  const rows: string[][] = []
  for (const [name, choose] of Object.entries(reads)) {
    const times = instances.map((): number[] => [])
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      for (const [index, instance] of instances.entries()) {
        const startedAt = performance.now()
        await read(instance, choose(instance))
        if (round >= 0) times[index]?.push(performance.now() - startedAt)
      }
    }
    const [small = 0, large = 0] = times.map((each) => percentile(each, 0.95))
    rows.push([name, small.toFixed(1), large.toFixed(1), (large / small).toFixed(2), `≤ ${target}`])
  }
  process.stdout.write(`\nLists of superadmins over HTTP, ${rounds} reads each, both instances in turns.\n\n`)
  printTable(['p95 in ms', ...sizes.map((size) => `${size} users`), 'ratio', 'target'], rows)
} finally {
  for (const { server } of instances) await server.stop()
}
