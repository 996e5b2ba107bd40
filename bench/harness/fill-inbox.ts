import type pg from 'pg'

/** How an organisation's items spread over its projects, in parts of 100: one large site, and small ones. */
const projectShares = [50, 20, 12, 8, 5, 2, 2, 1]
export const projectCount = projectShares.length

/** The shares of any number of projects, in parts of 100: as above, or each as much as its rank in the list allows. */
function listShares(projects: number): number[] {
  if (projects === projectCount) return projectShares
  const ranks = Array.from({ length: projects }, (_, index) => 1 / (index + 1))
  const sum = ranks.reduce((total, each) => total + each, 0)
  return ranks.map((each) => (each / sum) * 100)
}

/** The locations of an organisation's items: mostly the inbox, or mostly archived. */
export type InboxShape = 'busy' | 'tidy'

/** Shares of items in the locations besides the inbox: archived, spam, trash. */
const locationShares: Record<InboxShape, { archived: number; spam: number; trash: number }> = {
  busy: { archived: 0.1, spam: 0.04, trash: 0.02 },
  tidy: { archived: 0.95, spam: 0.03, trash: 0.01 },
}

/** The organisation to fill. */
interface InboxTarget {
  readonly organizationId: string
  readonly projectIds: readonly string[]
  readonly memberIds?: readonly string[]
}

/**
 * Writes items over the past year, spread over projects, statuses, sources, ratings, tags and so on as in a real inbox,
 * with words as frequent as in a language (Zipf). In a tidy one nearly all are archived, resolved and read. Indexes,
 * counts and known words are written after the rows, as a migration does.
 */
export async function fillInbox(
  sql: pg.Client,
  target: InboxTarget,
  count: number,
  shape: InboxShape = 'busy',
): Promise<void> {
  const { rows: indexes } = await sql.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
     where i.indrelid = 'public.feedback'::regclass and c.oid is null`,
  )
  for (const { name } of indexes) await sql.query(`drop index ${name}`)
  // The rows are right by construction; checking each reference would only take time.
  await sql.query(`set session_replication_role = replica; select setseed(0.5)`)
  await insertItems(sql, target, count, shape)
  await deriveFromItems(sql, target.organizationId)
  await sql.query(`set maintenance_work_mem = '1GB'`)
  for (const { definition } of indexes) await sql.query(definition)
  await sql.query('reset maintenance_work_mem')
  await sql.query('set session_replication_role = origin')
  for (const table of ['visitors', 'feedback', 'feedback_counts', 'feedback_words', 'feedback_attachments']) {
    await sql.query(`vacuum analyze public.${table}`)
  }
  await sql.query('checkpoint')
}

async function insertItems(sql: pg.Client, target: InboxTarget, count: number, shape: InboxShape): Promise<void> {
  const { archived, spam, trash } = locationShares[shape]
  await sql.query(
    `with words as materialized (
       select array_agg(
         (array['ba','co','di','fu','ge','ha','ji','ko','lu','me','na','po','qui','ra','su','ti','vo','wa','xe','zu'])[1 + n % 20]
         || (array['ler','mon','nat','pir','rud','sel','tun','vex','wol','zar'])[1 + n / 20 % 10]
         || (array['a','e','ing','o','us','en','ist','ly','et','ix','um','an','or','al','ic','id','ek','on','as','ev','ot','im','ur','ad','es'])[1 + n / 200]
         order by n) as list
       from generate_series(0, 4999) as n)
     insert into public.feedback (organization_id, id, project_id, number, type, source, status, priority, message,
       visitor_email, visitor_id, page_url, content_hash, rating, tags, media_kinds, assignee_user_id, first_viewed_at,
       archived_at, spam_reason, deleted_at, version, created_at, updated_at, search)
     select i.*, app.make_search(i.message, i.visitor_email, null, i.page_url, null) from (select $1::uuid as organization_id, gen_random_uuid() as id, ($2::uuid[])[width_bucket(project, $3::float8[]) + 1] as project_id, n as number,
       (array['bug', 'idea', 'question', 'praise', 'other'])[width_bucket(type, array[0.4, 0.65, 0.85, 0.9]) + 1],
       (array['widget', 'api', 'link', 'import', 'manual', 'test'])[width_bucket(source, array[0.85, 0.93, 0.96, 0.99, 0.9995]) + 1],
       (array['new', 'open', 'in_progress', 'resolved', 'closed'])[width_bucket(status,
         case when $5 then array[0.004, 0.006, 0.007, 0.9] else array[0.2, 0.35, 0.4, 0.85] end) + 1],
       (array['none', 'low', 'medium', 'high', 'urgent'])[width_bucket(priority, array[0.6, 0.7, 0.85, 0.96]) + 1],
       case when n % 40 = 3 then '' else
         'The ' || words.list[ceil(exp(w1 * 8.517))::int] || ' ' || words.list[ceil(exp(w2 * 8.517))::int] || ' does '
         || words.list[ceil(exp(w3 * 8.517))::int] || ' after ' || words.list[ceil(exp(w4 * 8.517))::int] || ' '
         || words.list[ceil(exp(w5 * 8.517))::int] || ' clicks' || case when n % 50 = 0 then ', says the invoice' else '' end
         || case when n % 5000 = 0 then ', and shows a zebra' else '' end
       end as message,
       'visitor-' || n % 9973 || '@example.org' as visitor_email, case when n % 3 = 0 then 'customer-' || n % 7919 end as visitor_id,
       'https://shop.example.com/products/' || n % 1009 as page_url,
       decode(repeat('ab', 32), 'hex'),
       case when rating < 0.1 then null else 6 - width_bucket(rating, array[0.5, 0.8, 0.95, 0.9995]) - 1 end,
       array_remove(array[
         case when tag < 0.1 then 'Checkout' end, case when tag between 0.08 and 0.14 then 'mobile' end,
         case when tag between 0.14 and 0.15 then 'iOS' end, case when n % 20011 = 7 then 'Legal' end], null),
       array_remove(array[
         case when media < 0.4 then 'screenshot' end, case when media between 0.39 and 0.42 then 'voice' end,
         case when media > 0.97 then 'screen' end, case when n % 10007 = 5 then 'replay' end], null),
       ($6::uuid[])[width_bucket(assignee, array[0.02, 0.04, 0.05, 0.0505]) + 1],
       case when read < $7 then at + interval '1 hour' end,
       case when lies < $8 then at + interval '2 days' end,
       case when lies between $8 and $8::float8 + $9::float8 then 'links' end,
       case when lies > 1 - $10::float8 then at + interval '3 days' end,
       case when touched < 0.3 then 2 else 1 end,
       at, case when touched < 0.3 then least(now(), at + interval '30 days' * touched) else at end
     from words, (
       select n, random() as project, random() as type, random() as status, random() as priority, random() as source,
         random() as rating, random() as tag, random() as media, random() as assignee, random() as read, random() as lies,
         random() as touched, random() as w1, random() as w2, random() as w3, random() as w4, random() as w5,
         now() - (1 - n::float8 / $4) * interval '365 days' as at
       from generate_series(1, $4::int) as n
     ) as item) as i`,
    [
      target.organizationId,
      target.projectIds,
      sharesUpTo(listShares(target.projectIds.length)),
      count,
      shape === 'tidy',
      target.memberIds ?? [],
      shape === 'tidy' ? 1 : 0.9,
      archived,
      spam,
      trash,
    ],
  )
}

/** Writes the counts, known words, attachments and visitors of the inserted items: triggers are off meanwhile. */
async function deriveFromItems(sql: pg.Client, organizationId: string): Promise<void> {
  await sql.query(
    `insert into public.feedback_counts (organization_id, project_id, location, facet, change_id, n)
     select f.organization_id, f.project_id, app.get_counted_location(f.location, f.status), l.facet, 0, count(*)
     from public.feedback f cross join lateral app.list_counted_facets(f.facets, f.tags, true) as l (facet)
     where f.organization_id = $1 group by 1, 2, 3, 4`,
    [organizationId],
  )
  await sql.query(
    `insert into public.feedback_words (organization_id, word)
     select distinct f.organization_id, w.word
     from public.feedback f cross join lateral unnest(tsvector_to_array(f.search)) as w (word)
     where f.organization_id = $1 and f.number <= 50000 and char_length(w.word) between 3 and 40 and w.word !~ '[^[:alpha:]]'`,
    [organizationId],
  )
  await sql.query(
    `insert into public.feedback_attachments (organization_id, id, feedback_id, kind)
     select f.organization_id, gen_random_uuid(), f.id, k.kind
     from public.feedback f, unnest(f.media_kinds) as k (kind) where f.organization_id = $1`,
    [organizationId],
  )
  await sql.query(
    `insert into public.visitors (organization_id, key, visitor_id, email, name, is_verified, first_seen_at, last_seen_at,
       items, open_items, unanswered_items, last_rating)
     select f.organization_id, coalesce(f.visitor_id, f.visitor_email), max(f.visitor_id), max(f.visitor_email), null, false,
       min(f.created_at), max(f.created_at), least(count(*), 1000), count(*) filter (where f.location = 'inbox' and f.status in ('new', 'open')),
       count(*) filter (where f.location = 'inbox' and f.status in ('new', 'open')), max(f.rating)
     from public.feedback f where f.organization_id = $1 group by 1, 2`,
    [organizationId],
  )
}

/** Upper bounds of all shares but the last, as parts of 1. */
function sharesUpTo(shares: readonly number[]): number[] {
  let sum = 0
  return shares.slice(0, -1).map((share) => {
    sum += share
    return sum / 100
  })
}
