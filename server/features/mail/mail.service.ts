import { v7 as uuidV7 } from 'uuid'
import type { AuthTx, SystemTx } from '#server/platform/database/database.ts'
import { isEmailAddress } from '#server/platform/mail/address.ts'
import {
  type EmailChanged,
  type PasswordChanged,
  renderEmailChanged,
  renderPasswordChanged,
} from './account-notice.mail.ts'
import { renderConfirmSignUp } from './confirm-sign-up.mail.ts'
import {
  type EmailChangeCurrent,
  type EmailChangeNew,
  renderEmailChangeCurrent,
  renderEmailChangeNew,
} from './email-change.mail.ts'
import { renderInvite } from './invite.mail.ts'
import type { LinkMail } from './link-mail.ts'
import { renderMagicLink } from './magic-link.mail.ts'
import * as queries from './mail.queries.ts'
import type { RenderedMail } from './mail-layout.ts'
import { type Reauthentication, renderReauthentication } from './reauthentication.mail.ts'
import { renderRecovery } from './recovery.mail.ts'

export { renderBackupAlert } from './backup-alert.mail.ts'
export { renderContactMessage } from './contact-message.mail.ts'
/** A reply to a visitor; its sender is a tenant, too. */
export { renderConversationReply } from './conversation-reply.mail.ts'
export { renderDeliveredItem } from './delivered-item.mail.ts'
export { renderFeedbackResolved } from './feedback-resolved.mail.ts'
export { renderFilesFull } from './files-full.mail.ts'
export { renderIntegrationDisabled, renderTokenEnding } from './integration-notice.mail.ts'
export type { LinkMail } from './link-mail.ts'
export type { RenderedMail } from './mail-layout.ts'
export { renderMonitoringAlert } from './monitoring-alert.mail.ts'
export { type NotificationMail, renderNewFeedback, renderNotifications } from './notification.mail.ts'
export { renderOrganizationClosed } from './organization-closed.mail.ts'
/** The invitation to an organisation; its sender is a tenant, who queues it through a door of its own. */
export { renderOrganizationInvitation as renderInvitationMail } from './organization-invitation.mail.ts'
export { renderOrganizationSuspended, renderSuspensionLifted } from './organization-suspended.mail.ts'
export { type PaymentNews, renderPaymentNews } from './payment.mail.ts'
export { renderPlanWarning } from './plan-warning.mail.ts'
export { renderSubscriptionNews, type SubscriptionNews } from './subscription.mail.ts'
export { renderWithdrawalReceipt } from './withdrawal-receipt.mail.ts'

/**
 * Puts an email into the outbox, in the caller's transaction: it is sent if, and only if, that commits.
 *
 * @returns the email's id.
 */
export async function queueEmail(tx: AuthTx | SystemTx, to: string, mail: RenderedMail): Promise<string> {
  const id = uuidV7()
  await queries.insertEmail(tx, { id, to, mail })
  return id
}

/** Puts an email with one-click unsubscribe into the outbox, as {@link queueEmail} does. */
export async function queueListedEmail(tx: SystemTx, email: queries.ListedEmail): Promise<void> {
  await queries.insertListedEmail(tx, { ...email, id: uuidV7() })
}

/** Puts an email into the outbox whose answers go to `replyTo`, if that is a plain address, as {@link queueEmail} does. */
export async function queueAnswerableEmail(
  tx: SystemTx,
  email: { readonly to: string; readonly mail: RenderedMail; readonly replyTo: string },
): Promise<void> {
  const replyTo = isEmailAddress(email.replyTo) ? email.replyTo : null
  await queries.insertAnswerableEmail(tx, { ...email, id: uuidV7(), replyTo })
}

/** Puts an email about an item into the outbox, unless there is or was one with its id. */
export function queueEmailOnce(tx: SystemTx, email: queries.IdentifiedEmail): Promise<void> {
  return queries.insertEmailOnce(tx, email)
}

/** Deletes unsent emails that name one of the items, which are being erased. */
export function forgetWaitingEmails(
  tx: SystemTx,
  organizationId: string,
  feedbackIds: readonly string[],
): Promise<void> {
  return queries.deleteWaitingEmails(tx, organizationId, feedbackIds)
}

/** Queues the email that confirms a sign-up. */
export async function queueConfirmSignUp(tx: AuthTx | SystemTx, content: LinkMail): Promise<void> {
  await queueEmail(tx, content.to, renderConfirmSignUp(content))
}

/** Queues the link that signs in without a password. */
export async function queueMagicLink(tx: AuthTx | SystemTx, content: LinkMail): Promise<void> {
  await queueEmail(tx, content.to, renderMagicLink(content))
}

/** Queues the link that lets someone choose a new password. */
export async function queueRecovery(tx: AuthTx | SystemTx, content: LinkMail): Promise<void> {
  await queueEmail(tx, content.to, renderRecovery(content))
}

/** Queues the invitation that an administrator of the instance sends. */
export async function queueInvite(tx: AuthTx | SystemTx, content: LinkMail): Promise<void> {
  await queueEmail(tx, content.to, renderInvite(content))
}

/** Queues the confirmation to an account's new address. */
export async function queueEmailChangeNew(tx: AuthTx | SystemTx, content: EmailChangeNew): Promise<void> {
  await queueEmail(tx, content.to, renderEmailChangeNew(content))
}

/** Queues the confirmation to an account's current address. */
export async function queueEmailChangeCurrent(tx: AuthTx | SystemTx, content: EmailChangeCurrent): Promise<void> {
  await queueEmail(tx, content.to, renderEmailChangeCurrent(content))
}

/** Queues the code that a signed-in person enters before an important change. */
export async function queueReauthentication(tx: AuthTx | SystemTx, content: Reauthentication): Promise<void> {
  await queueEmail(tx, content.to, renderReauthentication(content))
}

/** Queues the email about a changed password. */
export async function queuePasswordChanged(tx: AuthTx | SystemTx, content: PasswordChanged): Promise<void> {
  await queueEmail(tx, content.to, renderPasswordChanged(content))
}

/** Queues the email to an account's previous address. */
export async function queueEmailChanged(tx: AuthTx | SystemTx, content: EmailChanged): Promise<void> {
  await queueEmail(tx, content.to, renderEmailChanged(content))
}

/**
 * Requests to send one email of a kind to an address, and begins the pause before the next, for known and unknown
 * addresses alike and for every process.
 *
 * @param seconds length of the pause; 0 grants always.
 * @returns 0 when granted, else the seconds left.
 */
export function beginEmailPause(tx: AuthTx | SystemTx, kind: string, to: string, seconds: number): Promise<number> {
  return queries.beginEmailPause(tx, { kind, to, seconds })
}

/** Titles of emails whose stored words are not used: a newer version of Earshot lacks their variables. */
export { listUnusable as listUnusableWords } from './templates/word-book.ts'
