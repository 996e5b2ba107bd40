import type { Invitation, NewInvitation, NewInvitations, SentInvitation } from '#contract/invitations.ts'
import { readRecipients } from '#contract/recipients.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { isEmailAddress } from '#server/platform/mail/address.ts'
import { readInvitationCursor, writeInvitationCursor } from './invitation-cursor.ts'
import * as queries from './invitations.queries.ts'
import { createInvitationLink, resendInvitation } from './renew-invitations.ts'
import { hashInvitationToken, pauseSeconds, sendInvitations } from './send-invitations.ts'

interface InvitationPage {
  readonly items: SentInvitation[]
  readonly nextCursor: string | null
  readonly total: number
}

export interface Invitations {
  /**
   * Invitations without an answer, newest first.
   *
   * @throws ProductError `validation_failed` for a cursor that is none.
   */
  list(actor: Actor, organizationId: string, page: { limit?: number; cursor?: string }): Promise<InvitationPage>
  /** @throws ProductError `validation_failed`, `already_member`, `rate_limited`, `plan_limit_reached` or `plan_required`. */
  create(actor: Actor, organizationId: string, invitation: NewInvitation): Promise<SentInvitation>
  /**
   * Invites all, or no one.
   *
   * @throws ProductError `validation_failed` with a field for each recipient who can't be invited, `rate_limited`,
   * `plan_limit_reached`, `plan_required`.
   */
  createMany(actor: Actor, organizationId: string, invitations: NewInvitations): Promise<SentInvitation[]>
  /** @throws ProductError `invitation_not_found`, `rate_limited`. */
  resend(actor: Actor, organizationId: string, invitationId: string): Promise<SentInvitation>
  /** @throws ProductError `invitation_not_found`. */
  createLink(actor: Actor, organizationId: string, id: string): Promise<{ url: string; invitation: SentInvitation }>
  /** @throws ProductError `invitation_not_found`. */
  revoke(actor: Actor, organizationId: string, invitationId: string): Promise<void>
  /** @throws ProductError `invitation_not_found`. */
  get(token: string): Promise<Invitation>
  /**
   * @throws ProductError `invitation_not_found`, `invitation_for_other_address`, `invitation_ended`, `plan_limit_reached`
   * or `plan_required`.
   */
  accept(actor: Actor, token: string): Promise<{ organizationId: string }>
}

const defaultLimit = 100
const noRoomDetail = 'The organisation’s plan has no room for another member. Ask its owner to choose a larger plan.'

export function createInvitations(database: Database, { appUrl }: { appUrl: string }): Invitations {
  return {
    list: (actor, organizationId, page) => database.withTenant(actor, (tx) => listPage(tx, organizationId, page)),

    async create(actor, organizationId, { email: typed, role }) {
      const email = typed.toLowerCase()
      if (!isEmailAddress(email)) throw invalid('body.email', 'must be an email address')
      const sent = await database.withTenant(actor, async (tx) => {
        const members = await queries.findMembersAmong(tx, organizationId, [email])
        if (members.has(email)) throw new ProductError('already_member')
        return sendInvitations(tx, { appUrl, actor, organizationId }, { emails: [email], role })
      })
      // One address gives one invitation.
      return sent[0] as SentInvitation
    },

    async createMany(actor, organizationId, { recipients, role }) {
      const { emails, problems } = readRecipients(recipients, isEmailAddress)
      refuse(problems)
      return database.withTenant(actor, async (tx) => {
        const all = [...emails.values()]
        const members = await queries.findMembersAmong(tx, organizationId, all)
        const invited = await queries.findInvitedAmong(tx, organizationId, { emails: all, pauseSeconds })
        refuse(
          [...emails].flatMap(([index, email]) => {
            if (members.has(email)) return [{ index, message: 'is already a member' }]
            return invited.has(email) ? [{ index, message: 'already has an open invitation' }] : []
          }),
        )
        return sendInvitations(tx, { appUrl, actor, organizationId }, { emails: all, role })
      })
    },

    resend: (actor, organizationId, id) =>
      database.withTenant(actor, (tx) => resendInvitation(tx, { appUrl, actor, organizationId }, id)),

    createLink: (actor, organizationId, id) =>
      database.withTenant(actor, (tx) => createInvitationLink(tx, { appUrl, actor, organizationId }, id)),

    async revoke(actor, organizationId, invitationId) {
      const isRevoked = await database.withTenant(actor, async (tx) => {
        if (!(await queries.revokeInvitation(tx, organizationId, invitationId))) return false
        const event = { organizationId, name: 'member.invitation_revoked', ids: [invitationId], payload: {} } as const
        await recordEvent(tx, { ...event, announced: 'never' })
        return true
      })
      if (!isRevoked) throw new ProductError('invitation_not_found')
    },

    async get(token) {
      const found = await queries.findInvitation(database, hashInvitationToken(token))
      if (!found) throw new ProductError('invitation_not_found')
      return found
    },

    async accept(actor, token) {
      const acceptance = await database.withTenant(actor, (tx) =>
        queries.acceptInvitation(tx, hashInvitationToken(token)),
      )
      switch (acceptance.outcome) {
        case 'accepted':
          return { organizationId: acceptance.organizationId }
        case 'unknown':
          throw new ProductError('invitation_not_found')
        case 'other_address':
          throw new ProductError('invitation_for_other_address')
        case 'ended':
          throw new ProductError('invitation_ended')
        case 'plan_limit_reached':
        case 'plan_required':
          throw new ProductError(acceptance.outcome, { detail: noRoomDetail })
      }
    },
  }
}

async function listPage(
  tx: TenantTx,
  organizationId: string,
  { limit = defaultLimit, cursor }: { limit?: number; cursor?: string },
): Promise<InvitationPage> {
  const after = cursor === undefined ? undefined : readInvitationCursor(cursor)
  // One row more than the page tells whether there is another page.
  const found = await queries.listPending(tx, organizationId, { after, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(({ invitation }) => invitation),
    nextCursor: last && found.length > limit ? writeInvitationCursor(last.place) : null,
    total: await queries.countPending(tx, organizationId),
  }
}

/** @throws ProductError `validation_failed` with a field for each problem, if there are any. */
function refuse(problems: readonly { index: number; message: string }[]): void {
  if (problems.length === 0) return
  const fields = problems.map(({ index, message }) => ({ path: `body.recipients.${index}`, message }))
  throw new ProductError('validation_failed', { fields })
}
