import Type from 'typebox'
import type { FeedbackPriority, FeedbackType } from '#contract/feedback.ts'
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { defineIntegration } from '../define-integration.ts'
import type { DeliveryContent } from '../delivery/read-content.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { describeItem } from '../describe-item.ts'

const publicServer = 'https://ntfy.sh'

/** Publishes to a topic, as JSON: https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy = defineIntegration({
  type: 'ntfy',
  name: 'ntfy',
  category: 'chat',
  summary: 'Sends push notifications to phones and desktops by a topic of ntfy.sh or of your own ntfy server.',
  guide: 'ntfy',
  settings: Type.Object({
    topic: Type.String({
      title: 'Topic',
      description: 'Anyone who knows the topic of an open server can read it: choose one that is hard to guess.',
      examples: ['acme-feedback-k3v9x'],
      maxLength: 64,
    }),
    server: Type.Optional(
      Type.String({
        title: 'Server',
        description: 'Address of your own ntfy server. Default: https://ntfy.sh.',
        examples: [publicServer],
        format: 'uri',
        maxLength: 300,
      }),
    ),
    token: Type.Optional(
      Type.String({
        title: 'Access token',
        description: 'Only for a topic that needs one.',
        examples: ['tk_…'],
        pattern: '^[!-~]+$',
        maxLength: 200,
        secret: true,
      }),
    ),
  }),
  defaultEvents: ['feedback.created', 'feedback.answered'],

  checkSettings: ({ topic }) =>
    /^[-_A-Za-z0-9]{1,64}$/.test(topic)
      ? undefined
      : { topic: 'Use up to 64 letters of ASCII, digits, hyphens and underscores.' },

  deliver: async (content, { topic, server = publicServer, token }, { send }) => {
    await send(server.replace(/\/*$/, '/'), {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      json: { topic, ...writeMessage(content) },
      judge,
    })
  },
})

/** A longer message becomes a file. */
const maxMessageBytes = 4096

const priorities: Readonly<Record<FeedbackPriority, number>> = { none: 3, low: 2, medium: 3, high: 4, urgent: 5 }

/** Names of emoji: https://docs.ntfy.sh/emojis */
const emoji: Readonly<Record<FeedbackType, string>> = {
  bug: 'beetle',
  idea: 'bulb',
  question: 'question',
  praise: 'heart',
  other: 'speech_balloon',
}

function writeMessage(content: DeliveryContent) {
  const { title, sentence, text, facts, url, pictureUrl } = describeItem(content)
  const item = content.data.feedback
  const lines = facts.map(({ label, value }) => `${label}: ${value}`)
  return {
    title,
    message: cutToBytes([sentence, text, lines.join('\n')].filter((part) => part !== '').join('\n\n')),
    priority: priorities[item?.priority ?? 'none'],
    tags: item ? [emoji[item.type]] : [],
    ...(url !== null && { click: url, actions: [{ action: 'view', label: 'Open in Earshot', url }] }),
    ...(pictureUrl !== null && { attach: pictureUrl, filename: 'screenshot' }),
  }
}

function cutToBytes(text: string): string {
  if (Buffer.byteLength(text) <= maxMessageBytes) return text
  // A character that was cut in two ends as U+FFFD.
  const cut = Buffer.from(text)
    .subarray(0, maxMessageBytes - 3)
    .toString('utf8')
  return `${cut.replace(/\uFFFD+$/, '')}…`
}

function judge({ status }: OutboundAnswer): DeliveryFailure | undefined {
  if (status === 401 || status === 403)
    return new DeliveryFailure('ntfy refused: the topic needs another access token.')
  if (status === 413)
    return new DeliveryFailure('ntfy refused the message because it is too long.', { kind: 'refused' })
  if (status === 507) return new DeliveryFailure('The ntfy server has no room for more messages.')
  return undefined
}
