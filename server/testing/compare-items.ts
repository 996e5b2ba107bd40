import type pg from 'pg'

/** Columns of the first schema that visitors and members have filled. */
const columns = [
  'organization_id, id, project_id, number, type, source, status, priority, message, rating, nps, visitor_email, visitor_name',
  'visitor_id, page_url, page_title, context, metadata, content_hash, version, created_at, updated_at, first_viewed_at',
  'first_response_at, resolved_at, tags, media_kinds, spam_reason, assignee_user_id, archived_at, deleted_at, location',
].join(', ')

/** One hash of all items as the first schema has them, with how many there are; and of what belongs to them. */
export async function hashItems(client: pg.Client): Promise<Record<string, string>> {
  const sources: Record<string, string> = {
    items: `select ${columns} from public.feedback`,
    comments:
      'select organization_id, id, feedback_id, kind, author_user_id, text, created_at, from_visitor from public.feedback_comments',
    history:
      'select organization_id, id, feedback_id, actor_user_id, field, from_value, to_value, created_at from public.feedback_events',
    attachments: 'select organization_id, id, feedback_id, kind, name from public.feedback_attachments',
    people: 'select id, email, encrypted_password, email_confirmed_at from auth.users',
    members: 'select organization_id, user_id, role, joined_at from public.memberships',
    projects: 'select organization_id, id, name, domain, retention_days from public.projects',
  }
  const hashes: Record<string, string> = {}
  for (const [name, query] of Object.entries(sources)) {
    const { rows } = await client.query<{ hash: string }>(
      // A sum needs no order, which would be sorted on the disk.
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 7)::numeric), 0) as hash from (${query}) as t`,
    )
    hashes[name] = rows[0]?.hash ?? ''
  }
  return hashes
}
