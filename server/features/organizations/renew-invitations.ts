import type { SentInvitation } from '#contract/invitations.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findPause, renewInvitation } from './invitations.queries.ts'
import {
  emailInvitation,
  type InvitationSender,
  makeInvitationToken,
  pauseSeconds,
  recordSending,
  writeInvitationLink,
} from './send-invitations.ts'

/**
 * Emails an invitation again, with a new link.
 *
 * @throws ProductError `invitation_not_found`, or `rate_limited` within a minute of the latest email.
 */
export async function resendInvitation(tx: TenantTx, sender: InvitationSender, id: string): Promise<SentInvitation> {
  const { organizationId, actor } = sender
  const { token, tokenHash } = makeInvitationToken()
  const renewal = { organizationId, id, tokenHash, invitedBy: actor.userId, pauseSeconds }
  const invitation = await renewInvitation(tx, renewal)
  if (!invitation) {
    const retryAfterSeconds = await findPause(tx, organizationId, { id, pauseSeconds })
    if (retryAfterSeconds === undefined) throw new ProductError('invitation_not_found')
    const detail = `You can resend this invitation in ${retryAfterSeconds} s.`
    throw new ProductError('rate_limited', { detail, retryAfterSeconds })
  }
  await emailInvitation(tx, sender, invitation, token)
  await recordSending(tx, sender, [invitation], invitation.role)
  return invitation
}

/**
 * Makes a new link of an invitation, without an email.
 *
 * @throws ProductError `invitation_not_found`.
 */
export async function createInvitationLink(
  tx: TenantTx,
  { appUrl, organizationId, actor }: InvitationSender,
  id: string,
): Promise<{ url: string; invitation: SentInvitation }> {
  const { token, tokenHash } = makeInvitationToken()
  const renewal = { organizationId, id, tokenHash, invitedBy: actor.userId, pauseSeconds: undefined }
  const invitation = await renewInvitation(tx, renewal)
  if (!invitation) throw new ProductError('invitation_not_found')
  const event = { organizationId, name: 'member.invitation_link_created', ids: [id], payload: {} } as const
  await recordEvent(tx, { ...event, announced: 'never' })
  return { url: writeInvitationLink(appUrl, token), invitation }
}
