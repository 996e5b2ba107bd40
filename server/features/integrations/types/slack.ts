import Type from 'typebox'
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure, findFailure, type KnownFailures } from '../delivery-failure.ts'
import { writeSlackMessage } from './slack-message.ts'

/** Posts to a channel by an incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack = defineIntegration({
  type: 'slack',
  name: 'Slack',
  category: 'chat',
  summary: 'Posts new feedback to a channel, with the screenshot and a link to the item.',
  guide: 'slack',
  settings: Type.Object({
    url: Type.String({
      title: 'Webhook URL',
      description: 'In Slack, add an incoming webhook for the channel and copy its URL.',
      examples: ['https://hooks.slack.com/services/T000/B000/xxxx'],
      format: 'uri',
      maxLength: 2000,
      secret: true,
    }),
  }),
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.answered'],

  checkSettings: ({ url }) =>
    URL.parse(url)?.hostname.endsWith('slack.com') && !url.includes('/services/') && !url.includes('/triggers/')
      ? { url: 'This is no webhook URL. It starts with https://hooks.slack.com/services/.' }
      : undefined,

  deliver: async (content, { url }, { send }) => {
    const post = (withPicture: boolean) => send(url, { json: writeSlackMessage(content, withPicture), judge })
    await post(true).catch((error: unknown) => {
      // Slack could not load the picture: an instance in a private network, or a file that was deleted since.
      if (error instanceof DeliveryFailure && error.kind === 'refused') return post(false)
      throw error
    })
  },
})

const failures: KnownFailures = {
  no_service: ['gone', 'Slack no longer knows this webhook. Add a new one in Slack and enter its URL.'],
  no_team: ['gone', 'The Slack workspace no longer exists.'],
  channel_is_archived: ['gone', 'The Slack channel is archived. Unarchive it, or add a webhook for another channel.'],
  channel_not_found: ['gone', 'The Slack channel no longer exists. Add a webhook for another channel.'],
  no_active_hooks: ['gone', 'Incoming webhooks are turned off in Slack. Turn them on, and enter the new URL.'],
  invalid_token: ['gone', 'Slack refused the webhook URL. Copy it from Slack again.'],
  action_prohibited: ['retry', 'An administrator of the Slack workspace does not allow this webhook to post.'],
  invalid_payload: ['refused', 'Slack refused the message.'],
  invalid_blocks: ['refused', 'Slack refused the message or its picture.'],
  invalid_attachments: ['refused', 'Slack refused the message or its picture.'],
}

/** Slack says in a word why it refused. */
function judge({ status, body }: OutboundAnswer): DeliveryFailure | undefined {
  if (status < 400) return undefined
  const [word = ''] = body
    .toString('utf8')
    .trim()
    .split(/[^a-z_]/)
  return findFailure(failures, word)
}
