/*
 * 100,000 organisations of ten items each beside 1,000: what a member, a visitor and a superadmin wait for, and each job that runs by
 * itself. Run: npm run bench -- many-organizations
 */
import { randomUUID } from 'node:crypto'
import type { Submission } from '#contract/widget.ts'
import { createMember, createUser } from '#server/testing/builders.ts'
import { measureInTurns, toRatioRow } from './harness/in-turns.ts'
import { signIn } from './harness/owner.ts'
import { measureScheduledJobs } from './harness/scheduled-jobs.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { makeSubmission } from './harness/submissions.ts'
import { printTable } from './harness/table.ts'

const sizes = [1_000, Number(process.env.BENCH_ORGANIZATIONS ?? 100_000)] as const
const itemsEach = 10
const requests = Number(process.env.BENCH_REQUESTS ?? 100)
const warmUpRequests = 20
const target = 1.5
const atOnce = 10_000

interface Instance {
  readonly server: BenchServer
  readonly organizationId: string
  readonly projectId: string
  readonly widgetKey: string
  readonly memberToken: string
  readonly superadminToken: string
}

const member = (path: string) => (instance: Instance) =>
  read(instance, `/api/v1/organizations/${instance.organizationId}/${path}`, instance.memberToken)
const superadmin = (path: string) => (instance: Instance) =>
  read(instance, `/api/v1/superadmin/${path}`, instance.superadminToken)

const steps: Readonly<Record<string, (instance: Instance) => Promise<void>>> = {
  'inbox, first page': member('feedback?status=new&status=open'),
  'inbox, counts': member('feedback/counts'),
  'inbox, search': member('feedback?q=payment'),
  visitors: member('visitors'),
  'charts, 30 days': member('analytics/trends'),
  members: member('members'),
  'a submission': send,
  'the loader of a widget': ({ server, widgetKey }) => read({ server }, `/e/${widgetKey}.js`),
  'superadmin: overview': superadmin('overview'),
  'superadmin: metrics': superadmin('metrics'),
  'superadmin: organisations': superadmin('organizations'),
}

const instances: Instance[] = []
try {
  for (const count of sizes) {
    const startedAt = performance.now()
    instances.push(await makeInstance(count))
    process.stderr.write(`${count} organisations in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
  }
  const rows: string[][] = []
  for (const [name, step] of Object.entries(steps)) {
    const p95 = await measureInTurns(instances, step, { times: requests, warmUp: warmUpRequests })
    rows.push([...toRatioRow(name, p95), `≤ ${target}`])
  }
  const [small, large] = instances
  const jobs = small && large ? await measureScheduledJobs([small.server, large.server]) : []
  for (const { name, times } of jobs) rows.push([...toRatioRow(`job ${name}, once`, times), ''])
  process.stdout.write(`\np95 of ${requests} requests over HTTP, both instances in turns.\n\n`)
  printTable(['ms', ...sizes.map((size) => `${size} organisations`), 'ratio', 'target'], rows)
} finally {
  for (const { server } of instances) await server.stop()
}

async function read({ server }: Pick<Instance, 'server'>, path: string, token?: string): Promise<void> {
  const reply = await fetch(`${server.url}${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
}

async function send({ server, widgetKey, projectId }: Instance): Promise<void> {
  const submission: Submission = { ...makeSubmission(Math.floor(Math.random() * 64)), id: randomUUID() }
  const reply = await fetch(`${server.url}/e/${widgetKey}/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `https://site-${projectId}.example.com` },
    // The same text again counts as spam.
    body: JSON.stringify({ ...submission, message: `${submission.message} ${randomUUID()}` }),
  })
  if (reply.status !== 201) throw new Error(`${reply.status} ${await reply.text()}`)
}

async function makeInstance(count: number): Promise<Instance> {
  const server = await startBenchServer({}, `many-organizations-${count}`)
  const { sql } = server
  const superadmin = await createUser(sql)
  await sql.query('insert into app.superadmins (user_id) values ($1) on conflict do nothing', [superadmin.id])
  const { rows: kept } = await sql.query('select from public.organizations offset $1', [count])
  if (kept.length === 0) await fill(server, count)
  const { rows } = await sql.query<Pick<Instance, 'organizationId' | 'projectId' | 'widgetKey'>>(
    `select o.id as "organizationId", p.id as "projectId", w.key as "widgetKey"
     from public.organizations o
     join public.projects p on p.organization_id = o.id
     join public.widgets w on w.organization_id = o.id and w.project_id = p.id
     where o.slug = $1`,
    [`team-${count / 2}-of-example`],
  )
  const [place] = rows
  if (!place) throw new Error('the organisation in the middle is missing')
  const { email } = await createMember(sql, { organizationId: place.organizationId, role: 'admin' })
  return {
    ...place,
    server,
    memberToken: await signIn(server, email),
    superadminToken: await signIn(server, superadmin.email),
  }
}

/** The id, in SQL, of the organisation, project or user number n: known without a look-up, which would be slow before an analyze. */
function idOf(kind: 'organization' | 'project' | 'user'): string {
  return `md5('${kind}' || n)::uuid`
}

/** Organisations with an owner, a project, a widget and items of the past year. */
async function fill({ sql }: BenchServer, count: number): Promise<void> {
  for (let from = 1; from <= count; from += atOnce) {
    const range = [from, Math.min(count, from + atOnce - 1)]
    await sql.query(
      `insert into organizations (id, name, slug, created_at, subscription_status)
       select ${idOf('organization')}, 'Team ' || n, 'team-' || n || '-of-example', now() - n * interval '5 minutes', 'self_hosted'
       from generate_series($1::integer, $2::integer) n`,
      range,
    )
    await sql.query(
      `insert into projects (organization_id, id, name, domain)
       select ${idOf('organization')}, ${idOf('project')}, 'Website', 'site-' || ${idOf('project')} || '.example.com'
       from generate_series($1::integer, $2::integer) n`,
      range,
    )
    await sql.query(
      `insert into widgets (organization_id, project_id, key)
       select ${idOf('organization')}, ${idOf('project')}, 'wk_' || left(md5('widget' || n), 22)
       from generate_series($1::integer, $2::integer) n`,
      range,
    )
    await sql.query(
      `insert into auth.users (id, email, invited_at, email_confirmed_at, raw_user_meta_data)
       select ${idOf('user')}, 'user-' || n || '@example.com', now(), now(), jsonb_build_object('full_name', 'Person ' || n)
       from generate_series($1::integer, $2::integer) n`,
      range,
    )
    await sql.query(
      `insert into memberships (organization_id, user_id, role)
       select ${idOf('organization')}, ${idOf('user')}, 'owner' from generate_series($1::integer, $2::integer) n`,
      range,
    )
    await sql.query(
      `insert into feedback (organization_id, id, project_id, number, type, source, message, rating, visitor_email, page_url,
         content_hash, created_at, status)
       select ${idOf('organization')}, gen_random_uuid(), ${idOf('project')}, i,
         (array['bug', 'idea', 'question', 'praise', 'other'])[1 + (n + i) % 5], 'widget',
         'The payment fails after click ' || n || ' on button ' || i, 1 + (n + i) % 5, 'visitor-' || i || '@example.org',
         'https://shop.example.com/products/' || n % 1009, decode(repeat('ab', 32), 'hex'),
         now() - (n + i * 17) % 365 * interval '1 day', (array['new', 'open', 'resolved'])[1 + (n + i) % 3]
       from generate_series($1::integer, $2::integer) n
       cross join generate_series(1, ${itemsEach}) i`,
      range,
    )
    process.stderr.write(`${range[1]} of ${count} organisations written\n`)
  }
  await sql.query(`update project_counters set last_number = ${itemsEach}, feedback_count = ${itemsEach}`)
  await sql.query('vacuum analyze')
}
