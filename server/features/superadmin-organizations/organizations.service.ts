import { Readable } from 'node:stream'
import type {
  InstanceOrganization,
  InstanceOrganizationDetail,
  OrganizationFilters,
} from '#contract/superadmin-organizations.ts'
import { isUuid } from '#contract/uuid.ts'
import type { Database } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { type Cell, writeCsv } from '#server/platform/text/write-csv.ts'
import * as queries from './organizations.queries.ts'

const pageSize = 50
const rowsAtATime = 500
const shownAtMost = 50
const reason = 'superadmins see all organisations'

/** The organisations of the instance, as superadmins read them. */
export function createInstanceOrganizations(database: Database) {
  async function readPage(filters: OrganizationFilters, after: queries.OrganizationPlace | undefined, limit: number) {
    // One more than a page: whether there is a next.
    const found = await database.asSystem(reason, (tx) =>
      queries.listOrganizations(tx, filters, { after, limit: limit + 1 }),
    )
    const last = found.length > limit ? found[limit - 1] : undefined
    return { page: found.slice(0, limit).map(toOrganization), next: last && { value: last.value, id: last.id } }
  }

  async function* readRows(filters: OrganizationFilters): AsyncGenerator<Cell[]> {
    yield ['id', 'name', 'slug', 'created_at', 'status', 'plan', 'members', 'projects', 'items_30_days', 'closed_at']
    let after: queries.OrganizationPlace | undefined
    do {
      const { page, next } = await readPage(filters, after, rowsAtATime)
      for (const { id, name, slug, createdAt, status, planName, closedAt, ...counts } of page) {
        const { memberCount, projectCount, recentItems } = counts
        yield [id, name, slug, createdAt, status, planName, memberCount, projectCount, recentItems, closedAt]
      }
      after = next
    } while (after)
  }

  return {
    /** @throws ProductError `validation_failed` for a cursor of another order, or a foreign one. */
    list: async ({
      cursor,
      limit = pageSize,
      ...filters
    }: OrganizationFilters & { cursor?: string; limit?: number }) => {
      const after = cursor === undefined ? undefined : readPlace(cursor, filters.order === 'name')
      const { page, next } = await readPage(filters, after, limit)
      return { items: page, nextCursor: next ? writePlace(next) : null }
    },

    export: (filters: OrganizationFilters): Readable => Readable.from(writeCsv(readRows(filters))),

    /** @throws ProductError `organization_not_found`. */
    get: (organizationId: string): Promise<InstanceOrganizationDetail> =>
      database.asSystem(reason, async (tx) => {
        const organization = await queries.findOrganization(tx, organizationId)
        if (!organization) throw new ProductError('organization_not_found')
        const members = await queries.listMembers(tx, organizationId, shownAtMost)
        return {
          ...toOrganization(organization),
          members: members.map(({ joinedAt, ...member }) => ({ ...member, joinedAt: joinedAt.toISOString() })),
          projects: await queries.listProjects(tx, organizationId, shownAtMost),
          days: await queries.listUsageDays(tx, organizationId),
        }
      }),
  }
}

function toOrganization({
  value: _,
  createdAt,
  closedAt,
  deleteAfter,
  ...rest
}: queries.OrganizationRow): InstanceOrganization {
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    deleteAfter: deleteAfter?.toISOString() ?? null,
  }
}

const idLength = 36

function writePlace({ value, id }: queries.OrganizationPlace): string {
  return Buffer.from(`${id}${value}`).toString('base64url')
}

/** @throws ProductError `validation_failed` for a cursor of another order, or a foreign one. */
function readPlace(cursor: string, isByName: boolean): queries.OrganizationPlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [id, value] = [text.slice(0, idLength), text.slice(idLength)]
  const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(value) && !Number.isNaN(Date.parse(value))
  if (!isUuid(id) || (!isByName && !isTime) || value.includes('\0')) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { value, id }
}
