import type pg from 'pg'

/** How an organisation's items spread over its projects, in parts of 100: one large site, and small ones. */
const projectShares = [50, 20, 12, 8, 5, 2, 2, 1]
export const projectCount = projectShares.length

/**
 * Writes items over the past year, spread over projects, statuses, priorities and types as in a real inbox. Indexes are
 * built after the rows, as a restored backup's are.
 */
export async function fillInbox(
  sql: pg.Client,
  place: { organizationId: string; projectIds: readonly string[] },
  count: number,
): Promise<void> {
  const { rows: indexes } = await sql.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
     where i.indrelid = 'public.feedback'::regclass and c.oid is null`,
  )
  for (const { name } of indexes) await sql.query(`drop index ${name}`)
  // The rows are right by construction; checking each reference would only take time.
  await sql.query(`set session_replication_role = replica; select setseed(0.5)`)
  await sql.query(
    `insert into public.feedback (organization_id, id, project_id, number, type, source, status, priority, message,
       visitor_email, page_url, content_hash, created_at, updated_at)
     select $1, gen_random_uuid(), ($2::uuid[])[width_bucket(project, $3::float8[]) + 1], n,
       (array['bug', 'idea', 'question', 'praise', 'other'])[width_bucket(type, array[0.4, 0.65, 0.85, 0.9]) + 1],
       'widget',
       (array['new', 'open', 'in_progress', 'resolved', 'closed'])[width_bucket(status, array[0.2, 0.35, 0.4, 0.85]) + 1],
       (array['none', 'low', 'medium', 'high', 'urgent'])[width_bucket(priority, array[0.6, 0.7, 0.85, 0.96]) + 1],
       'The ' || (array['button', 'basket', 'search', 'menu', 'upload', 'report'])[1 + n % 6] || ' does nothing after '
         || n || ' clicks' || case when n % 50 = 0 then ', says the invoice' else '' end
         || case when n % 5000 = 0 then ', and shows a zebra' else '' end,
       'visitor-' || n % 9973 || '@example.org', 'https://shop.example.com/products/' || n % 1009,
       decode(repeat('ab', 32), 'hex'), at, at
     from (
       select n, random() as project, random() as type, random() as status, random() as priority,
         now() - random() * interval '365 days' as at
       from generate_series(1, $4::int) as n
     ) as item`,
    [place.organizationId, place.projectIds, sharesUpTo(projectShares), count],
  )
  for (const { definition } of indexes) await sql.query(definition)
  await sql.query('set session_replication_role = origin')
  await sql.query('vacuum analyze public.feedback')
  await sql.query('checkpoint')
}

/** Upper bounds of all shares but the last, as parts of 1. */
function sharesUpTo(shares: readonly number[]): number[] {
  let sum = 0
  return shares.slice(0, -1).map((share) => {
    sum += share
    return sum / 100
  })
}
