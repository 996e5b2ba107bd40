import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import type { Invitation, NewInvitation, SentInvitation } from '#contract/organizations.ts'
import { renderInvitationMail } from '#server/features/mail/mail.service.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { createSharedLimit } from '#server/platform/limits/shared-limit.ts'
import { isEmailAddress } from '#server/platform/mail/address.ts'
import * as queries from './invitations.queries.ts'

export interface Invitations {
  /** Open invitations. */
  list(actor: Actor, organizationId: string): Promise<SentInvitation[]>
  /** @throws ProductError `validation_failed`, `already_member` or `rate_limited`. */
  create(actor: Actor, organizationId: string, invitation: NewInvitation): Promise<SentInvitation>
  /** @throws ProductError `invitation_not_found`. */
  revoke(actor: Actor, organizationId: string, invitationId: string): Promise<void>
  /** @throws ProductError `invitation_not_found`. */
  get(token: string): Promise<Invitation>
  /** @throws ProductError `invitation_not_found`, `invitation_for_other_address` or `invitation_ended`. */
  accept(actor: Actor, token: string): Promise<{ organizationId: string }>
}

const validDays = 7
// The same invitation within a minute is a retry: no second email.
const pauseSeconds = 60
const dayMs = 86_400_000
// Mail in our name to strangers: more than a team invites in a day is abuse.
const mailsPerDay = 100

export function createInvitations(database: Database, { appUrl }: { appUrl: string }): Invitations {
  const mails = createSharedLimit({ name: 'invitation', capacity: mailsPerDay, refillMs: dayMs }, database)
  return {
    list: (actor, organizationId) => database.withTenant(actor, (tx) => queries.listPending(tx, organizationId)),

    async create(actor, organizationId, { email: typed, role }) {
      const email = typed.toLowerCase()
      if (!isEmailAddress(email)) throw invalid('body.email', 'must be an email address')
      const retryAfterSeconds = await mails.take(organizationId)
      if (retryAfterSeconds !== undefined) throw new ProductError('rate_limited', { retryAfterSeconds })
      const token = randomBytes(32).toString('base64url')
      return database.withTenant(actor, async (tx) => {
        if (await queries.isMember(tx, organizationId, email)) throw new ProductError('already_member')
        const invitation = { organizationId, email, role, tokenHash: hashToken(token), invitedBy: actor.userId }
        const saved = await queries.saveInvitation(tx, { ...invitation, pauseSeconds })
        if (!saved) return getPending(await queries.findPending(tx, organizationId, email))
        const mail = renderInvitationMail({
          appUrl,
          to: email,
          link: `${appUrl}/accept-invitation/${token}`,
          ...(await queries.readNames(tx, organizationId, actor.userId)),
          role,
          validMinutes: validDays * 1440,
        })
        await queries.queueInvitation(tx, { organizationId, invitationId: saved.id, emailId: uuidV7() }, mail)
        const entry = { organizationId, actorUserId: actor.userId, targetId: saved.id, details: { role } }
        await queries.insertAuditEntry(tx, { ...entry, action: 'member.invited' })
        const event = { organizationId, name: 'member.invited', ids: [saved.id], payload: { role } } as const
        await recordEvent(tx, { ...event, announced: 'never' })
        return saved
      })
    },

    async revoke(actor, organizationId, invitationId) {
      const isRevoked = await database.withTenant(actor, async (tx) => {
        if (!(await queries.revokeInvitation(tx, organizationId, invitationId))) return false
        const entry = { organizationId, actorUserId: actor.userId, targetId: invitationId, details: {} }
        await queries.insertAuditEntry(tx, { ...entry, action: 'invitation.revoked' })
        const event = { organizationId, name: 'member.invitation_revoked', ids: [invitationId], payload: {} } as const
        await recordEvent(tx, { ...event, announced: 'never' })
        return true
      })
      if (!isRevoked) throw new ProductError('invitation_not_found')
    },

    async get(token) {
      const found = await queries.findInvitation(database, hashToken(token))
      if (!found) throw new ProductError('invitation_not_found')
      return found
    },

    async accept(actor, token) {
      const acceptance = await database.withTenant(actor, (tx) => queries.acceptInvitation(tx, hashToken(token)))
      switch (acceptance.outcome) {
        case 'accepted':
          return { organizationId: acceptance.organizationId }
        case 'unknown':
          throw new ProductError('invitation_not_found')
        case 'other_address':
          throw new ProductError('invitation_for_other_address')
        case 'ended':
          throw new ProductError('invitation_ended')
      }
    },
  }
}

// Revoked, or accepted by another request, at this very moment.
function getPending(invitation: SentInvitation | undefined): SentInvitation {
  if (!invitation) throw new ProductError('unavailable')
  return invitation
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
