import type { FastifyRequest } from 'fastify'
import { isAllowed, type Role } from '#contract/permissions.ts'
import type { Access, RouteContract } from '#contract/route.ts'
import { isUuid } from '#contract/uuid.ts'
import type { Actor } from '../database/actor.ts'
import { withOrigin } from '../database/request-origin.ts'
import { describeImpersonator } from './describe-origin.ts'
import { judgeImpersonation } from './judge-impersonation.ts'
import { ProductError } from './product-error.ts'

/** The person behind a call, as far as the guard had to find out. */
export interface Caller {
  readonly actor: Actor
  readonly role: Role | undefined
  readonly isSuperadmin: boolean
  /** The call is one of those for superadmins alone. */
  readonly actsAsSuperadmin?: true
  /** Name of the app that calls in the person's name; absent: they call themselves. */
  readonly agent?: string
}

/** What the guard must know and cannot: the features behind it tell. */
export interface CallerLookup {
  /** @throws ProductError `unauthenticated`, `token_expired` or `impersonation_ended`. */
  verifyAccessToken(token: string): Promise<Actor>
  /** The caller's standing now: undefined for an account or session that is gone, or an impersonation that is over. */
  findStanding(actor: Actor, organizationId: string | undefined): Promise<Standing | undefined>
  /** Records that a superadmin uses an organisation of which they are not a member. */
  recordSuperadmin(actor: Actor, organizationId: string, operation: string): Promise<void>
  /** Notes that a member calls. Nothing waits for it. */
  recordActivity(userId: string, organizationId: string): void
}

export interface Standing {
  readonly isVerified: boolean
  readonly isBanned: boolean
  readonly isSuperadmin: boolean
  readonly organizationExists: boolean
  /** An owner has deleted it, and it waits to be removed or restored. */
  readonly organizationIsClosed: boolean
  /** A superadmin has suspended it. */
  readonly organizationIsSuspended: boolean
  readonly role: Role | undefined
}

/**
 * Decides whether a call may go on, and on whose behalf. An organisation that the caller does not belong to answers
 * exactly as one that does not exist.
 *
 * @throws ProductError 401 without a valid token, 403 when unverified, banned or without the permission or rank, for one's own
 * organisation that is suspended, or when an impersonation may not call it, 404 for another's organisation, 410 for one's
 * own that is closed.
 */
export async function admit(
  request: FastifyRequest,
  contract: Guarded,
  lookup: CallerLookup,
): Promise<Caller | undefined> {
  const { access } = contract
  if (access.kind === 'public') return undefined
  const token = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) throw new ProductError('unauthenticated')
  const verified = await lookup.verifyAccessToken(token)
  request.verifiedUserId = verified.userId
  const { impersonation } = verified
  const organizationId = access.kind === 'organization' ? readOrganizationId(request) : undefined
  const standing = await lookup.findStanding(verified, organizationId)
  if (!standing) throw new ProductError(impersonation ? 'impersonation_ended' : 'unauthenticated')
  const actor = impersonation ? restrict(verified, contract, impersonation.mode) : verified
  if (standing.isBanned) throw new ProductError('user_banned')
  if (!standing.isVerified) throw new ProductError('email_not_verified')
  const { role, isSuperadmin } = standing
  if (access.kind === 'superadmin' && !isSuperadmin) throw new ProductError('permission_denied')
  if (access.kind === 'superadmin') return { actor, role, isSuperadmin, actsAsSuperadmin: true }
  if (access.kind === 'signed_in' || organizationId === undefined) return { actor, role, isSuperadmin }
  if (!standing.organizationExists || (role === undefined && !isSuperadmin))
    throw new ProductError('organization_not_found')
  if (standing.organizationIsClosed && !access.evenClosed) throw new ProductError('organization_closed')
  refuseSuspended(standing, access)
  if (!isAllowed(role, access.permission, isSuperadmin)) throw new ProductError('permission_denied')
  if (role !== undefined && !impersonation) lookup.recordActivity(actor.userId, organizationId)
  const { evenSuspended } = access
  return { actor: { ...actor, organizationId, ...(evenSuspended && { evenSuspended }) }, role, isSuperadmin }
}

/** @throws ProductError `organization_suspended`. */
function refuseSuspended(
  { organizationIsSuspended, isSuperadmin, role }: Standing,
  { evenSuspended }: Extract<Access, { kind: 'organization' }>,
): void {
  if (!organizationIsSuspended || isSuperadmin || evenSuspended === 'members') return
  if (evenSuspended !== 'owners' || role !== 'owner') throw new ProductError('organization_suspended')
}

/** What the guard reads of a contract. */
type Guarded = Pick<RouteContract, 'method' | 'impersonation'> & {
  readonly access: Exclude<Access, { kind: 'api_key' }>
}

/** The impersonated actor for this call. @throws ProductError when an impersonation may not make it. */
function restrict(actor: Actor, contract: Guarded, mode: 'read_only' | 'changes'): Actor {
  const verdict = judgeImpersonation(contract, mode)
  if (verdict === 'refused') throw new ProductError('impersonation_refused')
  if (verdict === 'read_only') throw new ProductError('impersonation_read_only')
  return verdict === 'read' ? { ...actor, isReadOnly: true } : actor
}

/** Records a superadmin's use of an organisation that is not theirs, or as one of its members, before it happens. */
export async function recordForeignUse(
  request: FastifyRequest,
  { actor, role, isSuperadmin }: Caller,
  operation: string,
  lookup: CallerLookup,
): Promise<void> {
  const { impersonation, organizationId } = actor
  if (impersonation && organizationId !== undefined) {
    // In the superadmin's own name, who may write this while reading only.
    await withOrigin(describeImpersonator(request, impersonation), () =>
      lookup.recordSuperadmin(actor, organizationId, operation),
    )
    return
  }
  if (!isSuperadmin || role !== undefined || actor.organizationId === undefined) return
  await lookup.recordSuperadmin(actor, actor.organizationId, operation)
}

/** Whether someone who was let through once would be again, for what lasts longer than a call. */
export async function isStillAllowed(
  lookup: CallerLookup,
  access: Extract<Access, { kind: 'organization' }>,
  actor: Actor,
  organizationId: string,
): Promise<boolean> {
  const standing = await lookup.findStanding(actor, organizationId)
  if (!standing || standing.isBanned || !standing.isVerified || !standing.organizationExists) return false
  if (standing.organizationIsClosed) return false
  if (standing.organizationIsSuspended && !standing.isSuperadmin) return false
  return isAllowed(standing.role, access.permission, standing.isSuperadmin)
}

/** The same for someone who runs the instance. */
export async function isStillSuperadmin(lookup: CallerLookup, actor: Actor): Promise<boolean> {
  const standing = await lookup.findStanding(actor, undefined)
  return standing?.isSuperadmin === true && standing.isVerified && !standing.isBanned
}

// Guards run before validation, so that a stranger learns nothing of the schema: the id is checked here once more.
function readOrganizationId(request: FastifyRequest): string {
  // Routes without an organisation in their path give undefined.
  const id = (request.params as { organizationId?: string }).organizationId ?? ''
  if (!isUuid(id.toLowerCase())) {
    throw new ProductError('organization_not_found')
  }
  return id.toLowerCase()
}
