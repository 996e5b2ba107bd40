import Type from 'typebox'
import { typeLabels } from '#contract/feedback-labels.ts'
import { isEmailAddress } from '#server/platform/mail/address.ts'
import { renderDeliveredItem } from '../../mail/mail.service.ts'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { describeItem } from '../describe-item.ts'

const maxAddresses = 20

/** Emails each event to members of the organisation. */
export const email = defineIntegration({
  type: 'email',
  name: 'Email',
  category: 'email',
  summary: 'Emails each event to members of your choice, by rules of its own.',
  guide: 'email',
  settings: Type.Object({
    addresses: Type.String({
      title: 'Addresses',
      description: `Up to ${maxAddresses} addresses of members, one in each line. Invite others to the organisation first.`,
      examples: ['ada@example.com'],
      format: 'lines',
      maxLength: 6000,
    }),
  }),
  defaultEvents: ['feedback.created', 'feedback.answered'],

  checkSettings: ({ addresses }) => {
    const listed = listAddresses(addresses)
    const wrong = listed.find((address) => !isEmailAddress(address))
    if (wrong !== undefined) return { addresses: `This is no email address: ${wrong.slice(0, 254)}` }
    return listed.length > maxAddresses ? { addresses: `Enter at most ${maxAddresses} addresses.` } : undefined
  },

  connect: async ({ addresses }, { findStrangers }) => {
    const listed = listAddresses(addresses)
    const strangers = await findStrangers(listed)
    if (strangers.length > 0) {
      throw new DeliveryFailure(
        `Emails go to members only. Invite first, or remove: ${strangers.join(', ').slice(0, 400)}`,
      )
    }
    return { account: listed.length === 1 ? addresses.trim() : `${listed.length} members` }
  },

  deliver: async (content, { addresses }, { sendEmails }) => {
    const { sentence, text, facts, consoleErrors, url, pictureUrl } = describeItem(content)
    const item = content.data.feedback
    await sendEmails(listAddresses(addresses), ({ organizationName, holdsWords, appUrl }) =>
      renderDeliveredItem({
        item: item && { projectName: item.projectName, type: typeLabels[item.type], number: item.number },
        sentence,
        text: holdsWords ? text : '',
        facts: holdsWords ? facts : facts.filter(({ tells }) => tells === undefined),
        consoleErrors: holdsWords ? consoleErrors : [],
        itemUrl: url,
        pictureUrl: holdsWords ? pictureUrl : null,
        organizationName,
        appUrl,
      }),
    )
  },
})

/** Each address once, in the order in which they stand there. */
function listAddresses(text: string): string[] {
  const addresses = text.split(/[\s,;]+/).filter((address) => address !== '')
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()]
}
