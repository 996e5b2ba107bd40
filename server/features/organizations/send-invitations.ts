import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import type { SentInvitation } from '#contract/invitations.ts'
import type { Role } from '#contract/permissions.ts'
import { renderInvitationMail } from '#server/features/mail/mail.service.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { requireRoom } from '../billing/billing.service.ts'
import * as queries from './invitations.queries.ts'

/** An invitation that was emailed more recently is not emailed again: within a minute the request is a retry. */
export const pauseSeconds = 60
const validDays = 7

/** Where emails of invitations lead, and who sends them. */
export interface InvitationSender {
  readonly appUrl: string
  readonly actor: Actor
  readonly organizationId: string
}

/** A token for a link, and what is stored of it. */
export function makeInvitationToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashInvitationToken(token) }
}

export function hashInvitationToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function writeInvitationLink(appUrl: string, token: string): string {
  return `${appUrl}/accept-invitation/${token}`
}

/**
 * Makes or renews the invitations of these addresses, and queues their emails.
 *
 * @throws ProductError `rate_limited`, `plan_limit_reached`, `plan_required`; the transaction must then be rolled back.
 */
export async function sendInvitations(
  tx: TenantTx,
  sender: InvitationSender,
  { emails, role }: { emails: readonly string[]; role: Role },
): Promise<SentInvitation[]> {
  const { organizationId, actor } = sender
  const invitations: SentInvitation[] = []
  const sent: SentInvitation[] = []
  // In one order for all: two lists with the same addresses would otherwise wait for each other.
  for (const email of [...emails].sort()) {
    const { token, tokenHash } = makeInvitationToken()
    const invitation = { organizationId, email, role, tokenHash, invitedBy: actor.userId, pauseSeconds }
    const saved = await queries.saveInvitation(tx, invitation)
    if (saved) {
      await emailInvitation(tx, sender, saved, token)
      sent.push(saved)
    }
    invitations.push(saved ?? getPending(await queries.findPending(tx, organizationId, email)))
  }
  // Counted when they are written: an address that has an open invitation already holds its place.
  if (role !== 'viewer' && sent.length > 0) await requireRoom(tx, organizationId, 'member', { adding: 0 })
  await recordSending(tx, sender, sent, role)
  return invitations
}

/** @throws ProductError `rate_limited`; the transaction must then be rolled back. */
export async function emailInvitation(
  tx: TenantTx,
  { appUrl, actor, organizationId }: InvitationSender,
  { id, email, role }: SentInvitation,
  token: string,
): Promise<void> {
  const mail = renderInvitationMail({
    appUrl,
    to: email,
    link: writeInvitationLink(appUrl, token),
    ...(await queries.readNames(tx, organizationId, actor.userId)),
    role,
    validMinutes: validDays * 1440,
  })
  await queries
    .queueInvitation(tx, { organizationId, invitationId: id, emailId: uuidV7() }, mail)
    .catch((error: Parameters<typeof toRateLimit>[0]) => {
      throw error.code === 'ES429' ? toRateLimit(error) : error
    })
}

export async function recordSending(
  tx: TenantTx,
  { organizationId }: Pick<InvitationSender, 'organizationId'>,
  sent: readonly SentInvitation[],
  role: Role,
): Promise<void> {
  if (sent.length === 0) return
  const event = { organizationId, name: 'member.invited', ids: sent.map(({ id }) => id), payload: { role } } as const
  await recordEvent(tx, { ...event, announced: 'never' })
}

/** What `app.queue_invitation` refuses: `detail` holds the milliseconds to wait, `hint` the limit or the address. */
function toRateLimit(error: { code?: string; constraint?: string; detail?: string; hint?: string }): ProductError {
  const retryAfterSeconds = Math.ceil(Number(error.detail) / 1000)
  const detail =
    error.constraint === 'invitations_per_day'
      ? `Your organisation can send ${error.hint} invitations a day. Invite fewer people, or try again later.`
      : `${error.hint} was sent 5 invitations within an hour. Try again later.`
  return new ProductError('rate_limited', { detail, retryAfterSeconds })
}

// Revoked, or accepted by another request, at this very moment.
function getPending(invitation: SentInvitation | undefined): SentInvitation {
  if (!invitation) throw new ProductError('unavailable')
  return invitation
}
