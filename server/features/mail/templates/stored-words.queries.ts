import { sql } from 'kysely'
import { v7 as uuidV7 } from 'uuid'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'
import type { Words } from './template.ts'

/** The words of a template, as superadmins changed them. */
export interface StoredWords
  extends RowAs<
    'app.email_templates',
    { id: 'id'; version: 'version'; updatedAt: 'updated_at'; updatedBy: 'updated_name' }
  > {
  /** Null: reset to the default. */
  readonly words: Words | null
  /** Default words when these were saved. */
  readonly defaultWords: Words | null
}

const columns = sql`t.id, t.version, t.words, t.default_words as "defaultWords", t.updated_at as "updatedAt",
  t.updated_name as "updatedBy"`

/** Templates that were ever changed. */
export async function listStoredWords(tx: SystemTx): Promise<StoredWords[]> {
  return (await sql<StoredWords>`select ${columns} from app.email_templates t`.execute(tx)).rows
}

export async function findStoredWords(tx: SystemTx, id: string): Promise<StoredWords | undefined> {
  return (await sql<StoredWords>`select ${columns} from app.email_templates t where t.id = ${id}`.execute(tx)).rows[0]
}

/** Until the transaction ends, no one else changes words of emails: a first save has no row to lock yet. */
export async function lockWords(tx: SystemTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('email_templates'))`.execute(tx)
}

interface NewWords {
  readonly id: string
  readonly version: number
  readonly words: Words | null
  readonly defaultWords: Words
  readonly userId: string
}

/** Saves the next version, and keeps it among the saved versions. */
export async function saveWords(tx: SystemTx, saved: NewWords): Promise<void> {
  const { id, version, userId } = saved
  const words = saved.words === null ? null : JSON.stringify(saved.words)
  const defaultWords = saved.words === null ? null : JSON.stringify(saved.defaultWords)
  const name = sql`(select coalesce(nullif(p.full_name, ''), p.email) from profiles p where p.user_id = ${userId})`
  await sql`
    insert into app.email_templates (id, version, words, default_words, updated_by, updated_name)
    values (${id}, ${version}, ${words}::jsonb, ${defaultWords}::jsonb, ${userId}, ${name})
    on conflict (id) do update set version = excluded.version, words = excluded.words,
      default_words = excluded.default_words, updated_by = excluded.updated_by, updated_name = excluded.updated_name,
      updated_at = now()
  `.execute(tx)
  await sql`
    insert into app.email_template_revisions (id, template_id, version, words, saved_by, saved_name)
    values (${uuidV7()}, ${id}, ${version}, ${words}::jsonb, ${userId}, ${name})
  `.execute(tx)
}

type RevisionRow = RowAs<
  'app.email_template_revisions',
  { id: 'id'; version: 'version'; savedAt: 'saved_at'; savedBy: 'saved_name' }
> & { readonly isReset: boolean }

/** Saved versions below a version, the latest first. */
export async function listRevisions(
  tx: SystemTx,
  templateId: string,
  before: number | undefined,
  limit: number,
): Promise<RevisionRow[]> {
  const { rows } = await sql<RevisionRow>`
    select id, version, words is null as "isReset", saved_at as "savedAt", saved_name as "savedBy"
    from app.email_template_revisions
    where template_id = ${templateId} and ${before === undefined ? sql`true` : sql`version < ${before}`}
    order by version desc limit ${limit}
  `.execute(tx)
  return rows
}

/** @returns its words, null after a reset; undefined: there is no such version. */
export async function findRevision(tx: SystemTx, templateId: string, id: string): Promise<Words | null | undefined> {
  const { rows } = await sql<{ words: Words | null }>`
    select words from app.email_template_revisions where template_id = ${templateId} and id = ${id}
  `.execute(tx)
  return rows[0]?.words
}

/** The address of an account that may get emails; undefined: it has none. */
export async function findOwnAddress(tx: SystemTx, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`select a.email from app.find_mailable(${userId}) as a (email)`.execute(
    tx,
  )
  return rows[0]?.email
}
