import type { MailList } from '#contract/notifications.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { queueListedEmail, type RenderedMail } from '../mail/mail.service.ts'
import type { MemberOf } from './digest.queries.ts'
import type { Recipient } from './mailing.queries.ts'
import type { UnsubscribeLinks } from './unsubscribe-link.ts'

export interface MemberMail {
  readonly member: MemberOf
  readonly list: MailList
  readonly recipient: Recipient
  readonly feedbackIds: readonly string[]
  render(frame: { appUrl: string; unsubscribeUrl: string; organizationName: string }): RenderedMail
}

/** Puts an email to a member, with the link that unsubscribes from its list, into the outbox. */
export async function queueMemberMail(
  tx: SystemTx,
  { links, appUrl }: { links: Pick<UnsubscribeLinks, 'writeToken'>; appUrl: string },
  { member, list, recipient, feedbackIds, render }: MemberMail,
): Promise<void> {
  const { organizationId } = member
  const unsubscribeUrl = `${appUrl}/unsubscribe/${links.writeToken({ ...member, list })}`
  const mail = render({ appUrl, unsubscribeUrl, organizationName: recipient.organizationName })
  await queueListedEmail(tx, { to: recipient.email, mail, unsubscribeUrl, organizationId, feedbackIds })
}
