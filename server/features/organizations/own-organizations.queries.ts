import { sql } from 'kysely'
import type { LinkedNoun, OwnOrganization } from '#contract/own-organizations.ts'
import type { Role } from '#contract/permissions.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { NamePosition } from './name.cursor.ts'

interface OwnRow {
  id: string
  name: string
  slug: string
  role: Role
  delete_after: Date | null
  suspended_at: Date | null
  sort_name: string
}

/** The caller's organisations by name, after a position. */
export async function listOwn(
  tx: TenantTx,
  { words, after, limit }: { words: string; after: NamePosition | undefined; limit: number },
): Promise<{ organization: OwnOrganization; position: NamePosition }[]> {
  const { rows } = await sql<OwnRow>`
    select * from app.list_own_organizations(${words}, ${after?.name ?? null}, ${after?.id ?? null}, ${limit})
  `.execute(tx)
  return rows.map(({ delete_after: deleteAfter, suspended_at: suspendedAt, sort_name: sortName, ...rest }) => ({
    organization: {
      ...rest,
      deleteAfter: deleteAfter?.toISOString() ?? null,
      suspendedAt: suspendedAt?.toISOString() ?? null,
    },
    position: { name: sortName, id: rest.id },
  }))
}

/** Creates an organisation of the caller's, or returns the reason against it. */
export async function createOwn(
  tx: TenantTx,
  { id, name, limitPerDay }: { id: string; name: string; limitPerDay: number },
): Promise<'created' | 'replayed' | 'reused' | 'too_many'> {
  const { rows } = await sql<{ outcome: 'created' | 'replayed' | 'reused' | 'too_many' }>`
    select app.create_own_organization(${id}, ${name}, ${limitPerDay}) as outcome
  `.execute(tx)
  // The function returns one row.
  return rows[0]?.outcome ?? 'reused'
}

/** The caller's organisation with this id. */
export async function findOwn(tx: TenantTx, id: string): Promise<OwnOrganization | undefined> {
  const { rows } = await sql<Omit<OwnRow, 'sort_name' | 'delete_after' | 'suspended_at'>>`
    select o.id, o.name, o.slug, m.role
    from organizations o
    join memberships m on m.organization_id = o.id
    where o.id = ${id} and m.user_id = auth.uid()
  `.execute(tx)
  return rows[0] && { ...rows[0], deleteAfter: null, suspendedAt: null }
}

/** False: the caller is no member of it. */
export async function selectOwn(tx: TenantTx, id: string): Promise<boolean> {
  const { rows } = await sql<{ selected: boolean }>`select app.select_organization(${id}) as selected`.execute(tx)
  return rows[0]?.selected ?? false
}

/** Which of the caller's organisations has the item or the project. */
export async function findOrganizationOf(
  tx: TenantTx,
  linked: LinkedNoun,
  linkedId: string,
): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    select * from app.find_own_organization_of(
      ${linked === 'feedback' ? linkedId : null}, ${linked === 'project' ? linkedId : null})
  `.execute(tx)
  return rows[0]
}
