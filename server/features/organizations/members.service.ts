import type { Member } from '#contract/members.ts'
import type { Role } from '#contract/permissions.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { requireRoom } from '../billing/billing.service.ts'
import { readMemberCursor, writeMemberCursor } from './member-cursor.ts'
import * as queries from './members.queries.ts'

interface MemberQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly search?: string
}

interface MemberPage {
  readonly items: Member[]
  readonly nextCursor: string | null
  readonly total: number
}

export interface Members {
  /**
   * All members by name, or a page of them where anything is asked for.
   *
   * @throws ProductError `validation_failed` for a cursor that is none.
   */
  list(actor: Actor, organizationId: string, query: MemberQuery): Promise<MemberPage>
  /**
   * @throws ProductError `member_not_found`, `owner_required`, `permission_denied`; for a viewer, `plan_limit_reached`,
   * `plan_required`.
   */
  changeRole(actor: Actor, organizationId: string, change: { userId: string; role: Role }): Promise<Member>
  /** @throws ProductError `member_not_found`, `owner_required`, `permission_denied`. */
  remove(actor: Actor, organizationId: string, userId: string): Promise<void>
  /** Does nothing for a superadmin who is no member. @throws ProductError `owner_required`. */
  leave(actor: Actor, organizationId: string): Promise<void>
  /**
   * Makes the member an owner, and the caller an admin.
   *
   * @throws ProductError `member_not_found`, `validation_failed` for the caller's own id, `permission_denied`; for a
   * viewer, `plan_limit_reached`, `plan_required`.
   */
  transferOwnership(actor: Actor, organizationId: string, userId: string): Promise<Member>
}

const defaultLimit = 50

export function createMembers(database: Database): Members {
  /**
   * Runs a change of members while no other runs in the organisation, so that it judges by what is true: of two owners
   * who remove each other, the second is one no longer.
   */
  async function change<T>(actor: Actor, organizationId: string, fn: (tx: TenantTx) => Promise<T>): Promise<T> {
    return keepOwner(
      database.withTenant(actor, async (tx) => {
        if (!(await queries.lockAsOwner(tx, organizationId))) throw new ProductError('permission_denied')
        return fn(tx)
      }),
    )
  }

  async function setRole(tx: TenantTx, organizationId: string, userId: string, role: Role): Promise<Member> {
    const member = await getMember(tx, organizationId, userId)
    if (member.role === 'viewer' && role !== 'viewer') await requireRoom(tx, organizationId, 'member')
    // The row exists: without an owner's rights it is out of reach.
    if (!(await queries.updateRole(tx, { organizationId, userId, role }))) throw new ProductError('permission_denied')
    return { ...member, role }
  }

  return {
    list: (actor, organizationId, query) =>
      database.withTenant(actor, (tx) => {
        const isPage = query.limit !== undefined || query.cursor !== undefined || query.search !== undefined
        return isPage ? listPage(tx, organizationId, query) : listAll(tx, organizationId)
      }),

    changeRole: (actor, organizationId, { userId, role }) =>
      change(actor, organizationId, (tx) => setRole(tx, organizationId, userId, role)),

    remove: (actor, organizationId, userId) =>
      change(actor, organizationId, async (tx) => {
        await getMember(tx, organizationId, userId)
        if (!(await queries.deleteMember(tx, organizationId, userId))) throw new ProductError('permission_denied')
      }),

    leave: (actor, organizationId) =>
      keepOwner(database.withTenant(actor, (tx) => queries.leaveOrganization(tx, organizationId))),

    transferOwnership: (actor, organizationId, userId) =>
      change(actor, organizationId, async (tx) => {
        if (userId === actor.userId) {
          const message = 'must be another member than you'
          throw new ProductError('validation_failed', { fields: [{ path: 'body.userId', message }] })
        }
        const member = await setRole(tx, organizationId, userId, 'owner')
        // A superadmin need not be a member, and then has nothing to hand over.
        const own = await queries.findMember(tx, organizationId, actor.userId)
        if (own?.role === 'owner') await setRole(tx, organizationId, actor.userId, 'admin')
        return member
      }),
  }
}

/** @throws ProductError `owner_required` where the database refuses the change for the sake of the last owner. */
async function keepOwner<T>(change: Promise<T>): Promise<T> {
  return change.catch((error: { constraint?: string }) => {
    if (error.constraint === 'memberships_keep_one_owner') throw new ProductError('owner_required', { cause: error })
    throw error
  })
}

async function getMember(tx: TenantTx, organizationId: string, userId: string): Promise<Member> {
  const member = await queries.findMember(tx, organizationId, userId)
  if (!member) throw new ProductError('member_not_found')
  return member
}

async function listAll(tx: TenantTx, organizationId: string): Promise<MemberPage> {
  const items = await queries.listMembers(tx, organizationId)
  return { items, nextCursor: null, total: items.length }
}

async function listPage(tx: TenantTx, organizationId: string, query: MemberQuery): Promise<MemberPage> {
  const { limit = defaultLimit, cursor, search = '' } = query
  const after = cursor === undefined ? undefined : readMemberCursor(cursor)
  // One row more than the page tells whether there is another page.
  const found = await queries.listMembersPage(tx, organizationId, { search: search.trim(), after, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(({ member }) => member),
    nextCursor: last && found.length > limit ? writeMemberCursor(last.place) : null,
    total: await queries.countMembers(tx, organizationId),
  }
}
