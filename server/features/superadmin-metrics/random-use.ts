import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { ActivationStep, UsageFigure } from '#contract/superadmin-metrics.ts'

/* Random use of the instance, as rows of the product's tables, and what it amounts to, counted row by row. For tests. */

interface MadeOrganization {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly createdAt: string
  readonly ownerId: string
  readonly isVerified: boolean
}
interface MadeRow {
  readonly organizationId: string
  readonly id: string
  readonly at: string
  readonly day: string
}
interface MadeProject extends MadeRow {
  /** Null: no page has loaded the widget. */
  readonly loadedAt: string | null
}
interface MadeItem extends MadeRow {
  readonly projectId: string
  readonly number: number
}
interface MadeReply extends MadeRow {
  readonly itemId: string
  readonly isVisitors: boolean
}
interface MadeCounter {
  readonly organizationId: string
  readonly projectId: string
  readonly hour: string
  readonly event: 'loaded' | 'opened' | 'submitted'
  readonly n: number
}

export interface MadeUse {
  readonly organizations: readonly MadeOrganization[]
  readonly members: readonly MadeRow[]
  readonly projects: readonly MadeProject[]
  readonly items: readonly MadeItem[]
  readonly replies: readonly MadeReply[]
  readonly exports: readonly MadeRow[]
  readonly integrations: readonly MadeRow[]
  readonly counters: readonly MadeCounter[]
}

const dayMs = 86_400_000
const hourMs = 3_600_000

/** @param seed the same makes the same use, but for ids and the present */
export function makeUse(seed: number, count: number): MadeUse {
  const random = createRandom(seed)
  const pick = (n: number) => Math.floor(random() * n)
  const now = Date.now() - 60_000
  const rowAt = (organizationId: string, ms: number): MadeRow => {
    const at = new Date(Math.min(now, ms)).toISOString()
    return { organizationId, id: crypto.randomUUID(), at, day: at.slice(0, 10) }
  }
  const use: { [Name in keyof MadeUse]: MadeUse[Name][number][] } = {
    organizations: [],
    members: [],
    projects: [],
    items: [],
    replies: [],
    exports: [],
    integrations: [],
    counters: [],
  }
  for (let index = 0; index < count; index += 1) {
    const start = now - Math.floor(random() * 170 * dayMs)
    const later = () => start + Math.floor(random() * (now - start))
    const id = crypto.randomUUID()
    const createdAt = new Date(start).toISOString()
    const owner = { ...rowAt(id, start), id: crypto.randomUUID() }
    use.organizations.push({
      id,
      name: `Organisation ${pick(10_000)} ${index}`,
      slug: `made-${index}`,
      createdAt,
      ownerId: owner.id,
      isVerified: random() < 0.8,
    })
    use.members.push(owner)
    for (let more = pick(10) < 3 ? 1 + pick(3) : 0; more > 0; more -= 1) use.members.push(rowAt(id, later()))
    for (let more = pick(4); more > 0; more -= 1) {
      const project = rowAt(id, later())
      const isLoaded = random() < 0.6
      use.projects.push({ ...project, loadedAt: isLoaded ? new Date(later()).toISOString() : null })
      let number = 0
      for (let items = isLoaded ? pick(20) : 0; items > 0; items -= 1) {
        number += 1
        const item = { ...rowAt(id, later()), projectId: project.id, number }
        use.items.push(item)
        if (random() < 0.3) {
          use.replies.push({ ...rowAt(id, later()), itemId: item.id, isVisitors: random() < 0.3 })
        }
      }
      // Hours of the last week: older ones have been summed while they were recent.
      for (let hours = isLoaded ? pick(6) : 0; hours > 0; hours -= 1) {
        const hour = new Date(Math.floor((now - hours * 23 * hourMs) / hourMs) * hourMs).toISOString()
        for (const event of ['loaded', 'opened', 'submitted'] as const) {
          use.counters.push({ organizationId: id, projectId: project.id, hour, event, n: 1 + pick(50) })
        }
      }
    }
    if (random() < 0.3) use.exports.push(rowAt(id, later()))
    if (random() < 0.3) use.integrations.push(rowAt(id, later()))
  }
  return use
}

/** One thing that happened. */
export interface Fact {
  readonly organizationId: string
  readonly day: string
  readonly figure: UsageFigure
  readonly n: number
}

export function listFacts(use: MadeUse): Fact[] {
  const ids = new Set(use.organizations.map(({ id }) => id))
  const once = (figure: UsageFigure, rows: readonly { organizationId: string; day: string }[]): Fact[] =>
    rows.map(({ organizationId, day }) => ({ organizationId, day, figure, n: 1 }))
  const events = { loaded: 'loads', opened: 'opens', submitted: 'submissions' } as const
  return [
    ...use.organizations.map(
      ({ id, createdAt }): Fact => ({ organizationId: id, day: createdAt.slice(0, 10), figure: 'organizations', n: 1 }),
    ),
    ...once('members', use.members),
    ...once('projects', use.projects),
    ...once(
      'installs',
      use.projects.flatMap(({ organizationId, loadedAt }) =>
        loadedAt === null ? [] : [{ organizationId, day: loadedAt.slice(0, 10) }],
      ),
    ),
    ...once('items', use.items),
    ...once(
      'replies',
      use.replies.filter(({ isVisitors }) => !isVisitors),
    ),
    ...once('exports', use.exports),
    ...once('integrations', use.integrations),
    ...use.counters.map(
      ({ organizationId, hour, event, n }): Fact => ({
        organizationId,
        day: hour.slice(0, 10),
        figure: events[event],
        n,
      }),
    ),
  ].filter(({ organizationId }) => ids.has(organizationId))
}

/** The steps of the funnel that an organisation has taken. */
export function readActivation(use: MadeUse, { id, isVerified }: MadeOrganization): Set<ActivationStep> {
  const own = <T extends { readonly organizationId: string }>(rows: readonly T[]) =>
    rows.filter(({ organizationId }) => organizationId === id)
  const steps = new Set<ActivationStep>(['registered'])
  if (isVerified) steps.add('verified')
  if (own(use.projects).length > 0) steps.add('project')
  if (own(use.projects).some(({ loadedAt }) => loadedAt !== null)) steps.add('installed')
  if (own(use.items).length > 0) steps.add('item')
  if (own(use.replies).some(({ isVisitors }) => !isVisitors) || own(use.members).length > 1) steps.add('engaged')
  return steps
}

/** Writes it as the database's owner, past row-level security, so that the product's triggers count it. */
export async function insertUse(client: pg.Client, use: MadeUse): Promise<void> {
  const insert = (rows: readonly unknown[], statement: string) => client.query(statement, [JSON.stringify(rows)])
  const owners = new Map(use.organizations.map(({ ownerId, isVerified }) => [ownerId, isVerified]))
  await insert(
    use.members.map(({ id }) => ({ id, isVerified: owners.get(id) ?? true, email: `${id}@example.com` })),
    `insert into auth.users (id, aud, role, email, email_confirmed_at, invited_at, raw_app_meta_data, raw_user_meta_data,
       created_at, updated_at)
     select id, 'authenticated', 'authenticated', email, case when "isVerified" then now() end, now(),
       '{"provider": "email", "providers": ["email"]}', '{}', now(), now()
     from json_to_recordset($1) as r (id uuid, email text, "isVerified" boolean)`,
  )
  await insert(
    use.organizations,
    `insert into organizations (id, name, slug, created_at, subscription_status)
     select id, name, slug, "createdAt", 'self_hosted'
     from json_to_recordset($1) as r (id uuid, name text, slug text, "createdAt" timestamptz)`,
  )
  await insert(
    use.members.map((row) => ({ ...row, role: owners.has(row.id) ? 'owner' : 'member' })),
    `insert into memberships (organization_id, user_id, role, joined_at)
     select "organizationId", id, role, at
     from json_to_recordset($1) as r ("organizationId" uuid, id uuid, role text, at timestamptz)`,
  )
  await insert(
    use.projects.map((row, index) => ({ ...row, domain: `made-${index}.example` })),
    `insert into projects (organization_id, id, name, domain, created_at)
     select "organizationId", id, 'Website', domain, at
     from json_to_recordset($1) as r ("organizationId" uuid, id uuid, domain text, at timestamptz)`,
  )
  await insert(
    use.projects.map((row) => ({ ...row, key: `wk_${randomBytes(16).toString('base64url')}` })),
    `insert into widgets (organization_id, project_id, key)
     select "organizationId", id, key from json_to_recordset($1) as r ("organizationId" uuid, id uuid, key text)
     on conflict do nothing`,
  )
  await insert(
    use.projects,
    `update widgets w set last_loaded_at = r."loadedAt"
     from json_to_recordset($1) as r (id uuid, "loadedAt" timestamptz) where w.project_id = r.id`,
  )
  await insertActs(insert, use)
}

/** Items, and all that is done with and beside them. */
async function insertActs(insert: (rows: readonly unknown[], statement: string) => Promise<unknown>, use: MadeUse) {
  await insert(
    use.items,
    `insert into feedback (organization_id, id, project_id, number, type, source, message, page_url, content_hash,
       created_at, search)
     select "organizationId", id, "projectId", number, 'bug', 'widget', 'Made', 'https://made.example/',
       sha256(id::text::bytea), at, ''
     from json_to_recordset($1) as r ("organizationId" uuid, id uuid, "projectId" uuid, number bigint, at timestamptz)`,
  )
  await insert(
    use.items,
    `insert into app.feedback_day_marks (organization_id, day, is_whole)
     select distinct "organizationId", day, true
     from json_to_recordset($1) as r ("organizationId" uuid, day date)`,
  )
  await insert(
    use.replies,
    `insert into feedback_comments (organization_id, id, feedback_id, kind, text, created_at, from_visitor)
     select "organizationId", id, "itemId", 'reply', 'Made', at, "isVisitors"
     from json_to_recordset($1) as r
       ("organizationId" uuid, id uuid, "itemId" uuid, at timestamptz, "isVisitors" boolean)`,
  )
  await insert(
    use.exports,
    `insert into exports (organization_id, id, created_by, format, selection, created_at, state, note)
     select "organizationId", id, id, 'csv', '{}', at, 'failed', 'Made'
     from json_to_recordset($1) as r ("organizationId" uuid, id uuid, at timestamptz)`,
  )
  await insert(
    use.integrations,
    `insert into integrations (organization_id, id, type, name, secrets, event_names, state, created_by, created_at)
     select "organizationId", id, 'webhook', 'Made', '', '{}', 'paused', id, at
     from json_to_recordset($1) as r ("organizationId" uuid, id uuid, at timestamptz)`,
  )
  await insert(
    use.counters,
    `insert into widget_counters (organization_id, project_id, hour, event, n)
     select "organizationId", "projectId", hour, event, sum(n)
     from json_to_recordset($1) as r
       ("organizationId" uuid, "projectId" uuid, hour timestamptz, event text, n bigint)
     group by 1, 2, 3, 4`,
  )
}

/** Numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
