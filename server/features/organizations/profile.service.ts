import { v4 as uuidV4 } from 'uuid'
import type { OrganizationChange, OrganizationProfile } from '#contract/organizations.ts'
import type { NewPicture } from '#contract/picture.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { readPicture } from '#server/platform/http/read-picture.ts'
import * as queries from './profile.queries.ts'

/** Name, slug and logo of an organisation. */
export interface OrganizationProfiles {
  get(actor: Actor, organizationId: string): Promise<OrganizationProfile>
  /** @throws ProductError `validation_failed` for an empty name or slug, `slug_taken`, `permission_denied`. */
  update(actor: Actor, organizationId: string, change: OrganizationChange): Promise<OrganizationProfile>
  /** @returns the logo's address. @throws ProductError `validation_failed` for an unusable picture. */
  setLogo(actor: Actor, organizationId: string, logo: NewPicture): Promise<string>
  removeLogo(actor: Actor, organizationId: string): Promise<void>
  findLogo(id: string): Promise<{ mime: string; bytes: Buffer } | undefined>
}

export function createOrganizationProfiles(database: Database): OrganizationProfiles {
  return {
    get: (actor, organizationId) => database.withTenant(actor, (tx) => getProfile(tx, organizationId)),

    update: (actor, organizationId, { name, slug }) =>
      database
        .withTenant(actor, async (tx) => {
          const change = {
            ...(name !== undefined && { name: checkName(name) }),
            ...(slug !== undefined && { slug: await checkSlug(tx, slug) }),
          }
          if (!(await queries.updateProfile(tx, organizationId, change))) throw new ProductError('permission_denied')
          return getProfile(tx, organizationId)
        })
        .catch((error: { code?: string }) => {
          // Unique violation: of the columns that change here, only the slug must be unique.
          if (error.code !== '23505') throw error
          const field = { path: 'body.slug', message: 'is already used by another organisation' }
          throw new ProductError('slug_taken', { fields: [field] })
        }),

    async setLogo(actor, organizationId, logo) {
      const picture = readPicture(logo)
      if ('problem' in picture) throw invalid('body.data', picture.problem)
      // UUIDv4, not ordered by time: an unguessable URL is a picture's only protection.
      const id = uuidV4()
      const { mime } = logo
      await database.withTenant(actor, (tx) => queries.saveLogo(tx, { organizationId, id, mime, bytes: picture.bytes }))
      return `/api/v1/logos/${id}`
    },

    removeLogo: (actor, organizationId) => database.withTenant(actor, (tx) => queries.deleteLogo(tx, organizationId)),

    findLogo: (id) => queries.findLogo(database, id),
  }
}

async function getProfile(tx: TenantTx, organizationId: string): Promise<OrganizationProfile> {
  const profile = await queries.findProfile(tx, organizationId)
  // The caller was removed, or the organisation deleted, since the guard asked.
  if (!profile) throw new ProductError('organization_not_found')
  return profile
}

function checkName(typed: string): string {
  const name = typed.trim()
  if (name === '') throw invalid('body.name', 'must not be empty')
  return name
}

async function checkSlug(tx: TenantTx, typed: string): Promise<string> {
  const slug = await queries.writeSlug(tx, typed)
  if (slug === undefined) throw invalid('body.slug', 'must contain a letter or digit')
  return slug
}
