import { sql } from 'kysely'
import type { OrganizationChange, OrganizationProfile } from '#contract/organizations.ts'
import type { NewPicture } from '#contract/picture.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

interface ProfileRow extends Row<'organizations', 'id' | 'name' | 'slug' | 'created_at'> {
  logo_id: string | null
}

export async function findProfile(tx: TenantTx, organizationId: string): Promise<OrganizationProfile | undefined> {
  const { rows } = await sql<ProfileRow>`
    select o.id, o.name, o.slug, o.created_at,
      (select l.id from organization_logos l where l.organization_id = o.id) as logo_id
    from organizations o where o.id = ${organizationId}
  `.execute(tx)
  const row = rows[0]
  return (
    row && {
      id: row.id,
      name: row.name,
      slug: row.slug,
      logoUrl: row.logo_id && `/api/v1/logos/${row.logo_id}`,
      createdAt: row.created_at.toISOString(),
    }
  )
}

/** The text as a slug; undefined when nothing is left of it. */
export async function writeSlug(tx: TenantTx, text: string): Promise<string | undefined> {
  const { rows } = await sql<{ slug: string | null }>`select app.write_slug(${text}) as slug`.execute(tx)
  return rows[0]?.slug ?? undefined
}

/** @returns false when the caller may not change the organisation any more. */
export async function updateProfile(
  tx: TenantTx,
  organizationId: string,
  { name, slug }: OrganizationChange,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update organizations set name = coalesce(${name ?? null}, name), slug = coalesce(${slug ?? null}, slug)
    where id = ${organizationId}
  `.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

export async function saveLogo(
  tx: TenantTx,
  logo: { organizationId: string; id: string; mime: NewPicture['mime']; bytes: Buffer },
): Promise<void> {
  const { organizationId, id, mime, bytes } = logo
  await sql`
    insert into organization_logos (organization_id, id, mime, bytes) values (${organizationId}, ${id}, ${mime}, ${bytes})
    on conflict (organization_id) do update
      set id = excluded.id, mime = excluded.mime, bytes = excluded.bytes, created_at = excluded.created_at
  `.execute(tx)
}

export async function deleteLogo(tx: TenantTx, organizationId: string): Promise<void> {
  await sql`delete from organization_logos where organization_id = ${organizationId}`.execute(tx)
}

export async function findLogo(
  database: Database,
  id: string,
): Promise<{ mime: NewPicture['mime']; bytes: Buffer } | undefined> {
  const { rows } = await sql<{ mime: NewPicture['mime']; bytes: Buffer }>`
    select * from app.find_logo(${id})
  `.execute(database.powerless)
  return rows[0]
}
