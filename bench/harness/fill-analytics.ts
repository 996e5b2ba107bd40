import type pg from 'pg'

interface Place {
  readonly organizationId: string
  readonly projectIds: readonly string[]
}

/**
 * Writes items over the past two years with all values that charts use: ratings, scores, times, pages, browsers and
 * languages, half of them in the first project; and widget loads in every hour. Indexes are built after the rows.
 */
export async function fillAnalytics(
  sql: pg.Client,
  { organizationId, projectIds }: Place,
  count: number,
): Promise<void> {
  const { rows: indexes } = await sql.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
     where i.indrelid = 'public.feedback'::regclass and c.oid is null`,
  )
  for (const { name } of indexes) await sql.query(`drop index ${name}`)
  // The rows are right by construction; checking each reference would only take time.
  await sql.query('set session_replication_role = replica; select setseed(0.5)')
  await sql.query(
    `insert into public.feedback (organization_id, id, project_id, number, type, source, status, priority, message, rating,
       nps, page_url, context, content_hash, search, created_at, first_viewed_at, first_response_at, resolved_at)
     select $1, gen_random_uuid(), ($2::uuid[])[case when n % 2 = 0 then 1 else 1 + n % cardinality($2) end], n,
       (array['bug', 'idea', 'question', 'praise', 'other'])[1 + n % 5], (array['widget', 'api', 'link'])[1 + n % 3], status,
       (array['none', 'low', 'medium', 'high', 'urgent'])[1 + n % 5], 'The button does nothing after ' || n || ' clicks',
       case when n % 3 > 0 then 1 + n % 5 end, case when n % 4 = 0 then n % 11 end,
       'https://shop.example.com/' || (array['products', 'help', 'orders', 'blog'])[1 + n % 4] || '/page-'
         || chr(97 + n % 26) || chr(97 + n / 26 % 26),
       jsonb_build_object('language', (array['de-AT', 'en-US', 'fr-FR', 'en', 'ja-JP', 'pt-BR'])[1 + n % 6], 'userAgent',
         (array['Mozilla/5.0 Chrome/142.0 Safari/537.36', 'Mozilla/5.0 Firefox/145.0'])[1 + n % 2]),
       decode(repeat('ab', 32), 'hex'), '', at,
       case when n % 10 > 1 then at + power(random(), 4) * interval '20 days' end,
       case when n % 3 = 0 then at + power(random(), 4) * interval '40 days' end,
       case when status in ('resolved', 'closed') then at + power(random(), 4) * interval '90 days' end
     from (
       select n, (array['new', 'open', 'in_progress', 'resolved', 'resolved', 'resolved', 'closed'])[1 + n % 7] as status,
         now() - random() * interval '728 days' as at
       from generate_series(1, $3::int) as n
     ) as item`,
    [organizationId, projectIds, count],
  )
  for (const { definition } of indexes) await sql.query(definition)
  await sql.query('set session_replication_role = origin')
  await sql.query(
    `insert into public.widget_counters (organization_id, project_id, hour, event, n)
     select $1, p, date_trunc('hour', now(), 'utc') - make_interval(hours => h), e, 1000
     from unnest($2::uuid[]) p, generate_series(0, 24 * 730) h, unnest(array['loaded', 'opened', 'submitted']) e`,
    [organizationId, projectIds],
  )
  await sql.query('vacuum analyze')
  await sql.query('checkpoint')
}
