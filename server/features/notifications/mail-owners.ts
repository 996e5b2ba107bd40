import type { SystemTx } from '#server/platform/database/database.ts'
import { listOwners, lockRecipient } from './mailing.queries.ts'
import { type MemberMail, queueMemberMail } from './queue-member-mail.ts'
import type { UnsubscribeLinks } from './unsubscribe-link.ts'

export interface OwnerMailParts {
  readonly links: Pick<UnsubscribeLinks, 'writeToken'>
  readonly appUrl: string
}

/**
 * Puts an email for each owner of an organisation into the outbox, except for those who unsubscribed from personal emails.
 *
 * @returns the owners.
 */
export async function mailOwners(
  tx: SystemTx,
  parts: OwnerMailParts,
  organizationId: string,
  render: MemberMail['render'],
): Promise<string[]> {
  const owners = await listOwners(tx, organizationId)
  for (const userId of owners) {
    const member = { organizationId, userId }
    const recipient = await lockRecipient(tx, member)
    if (!recipient || recipient.mutedMails.includes('personal')) continue
    await queueMemberMail(tx, parts, { member, list: 'personal', recipient, feedbackIds: [], render })
  }
  return owners
}
