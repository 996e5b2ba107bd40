import Type from 'typebox'
import type { FeedbackPriority } from '#contract/feedback.ts'
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { defineIntegration } from '../define-integration.ts'
import type { DeliveryContent } from '../delivery/read-content.ts'
import { DeliveryFailure, findFailure, type KnownFailures } from '../delivery-failure.ts'
import { describeItem } from '../describe-item.ts'
import { fitText } from '../fit-text.ts'

/** Posts to a channel by a webhook: https://docs.discord.com/developers/resources/webhook#execute-webhook */
export const discord = defineIntegration({
  type: 'discord',
  name: 'Discord',
  category: 'chat',
  summary: 'Posts new feedback to a channel, with the screenshot and a link to the item.',
  guide: 'discord',
  settings: Type.Object({
    url: Type.String({
      title: 'Webhook URL',
      description: 'In the channel’s settings, under Integrations, create a webhook and copy its URL.',
      examples: ['https://discord.com/api/webhooks/000/xxxx'],
      format: 'uri',
      maxLength: 2000,
      secret: true,
    }),
  }),
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.answered'],

  checkSettings: ({ url }) =>
    /\/webhooks\/\d+\/[^/?#]+(\?[^#]*)?$/.test(url)
      ? undefined
      : { url: 'This is no webhook URL. It looks like https://discord.com/api/webhooks/000/xxxx.' },

  deliver: async (content, { url }, { send }) => {
    // Without it, Discord answers before it knows whether the message can be posted. The rest of the URL stays as it was
    // entered, because that is the text that the log hides.
    const address = `${url}${url.includes('?') ? '&' : '?'}wait=true`
    await send(address, { json: writeMessage(content), judge })
  },
})

// https://docs.discord.com/developers/resources/message#embed-object-embed-limits. All texts of an embed have 6,000 in all.
const maxLengths = { title: 256, description: 3000, sentence: 300, name: 100, value: 350, url: 2000 }
const maxFacts = 5

const colors: Readonly<Record<FeedbackPriority, number>> = {
  none: 0x0e7c86,
  low: 0x6b7080,
  medium: 0xc58a00,
  high: 0xd9580d,
  urgent: 0xc62828,
}

function writeMessage(content: DeliveryContent) {
  const { title, sentence, text, facts, url, pictureUrl } = describeItem(content)
  const description = [escapeText(sentence, maxLengths.sentence), escapeText(text, maxLengths.description)]
  const fields = facts.slice(0, maxFacts).map((fact) => ({
    name: escapeText(fact.label, maxLengths.name),
    // An escaped address would not be a link.
    value:
      fact.url !== undefined && fact.url.length <= maxLengths.value
        ? fact.url
        : escapeText(fact.value, maxLengths.value),
    inline: fact.url === undefined,
  }))
  const embed = {
    title: escapeText(title, maxLengths.title),
    description: description.filter((part) => part !== '').join('\n\n'),
    color: colors[content.data.feedback?.priority ?? 'none'],
    fields,
    timestamp: content.timestamp,
    ...(url !== null && { url }),
    ...(pictureUrl !== null && pictureUrl.length <= maxLengths.url && { image: { url: pictureUrl } }),
  }
  const links = url === null ? {} : { content: `[Open in Earshot](<${url}>)` }
  // No one is notified, whatever the texts say.
  return { ...links, embeds: [embed], allowed_mentions: { parse: [] } }
}

/** Discord shows a character of its markup behind a backslash as it is. */
function escapeText(text: string, maxLength: number): string {
  return fitText(text, maxLength, (character) => (/[\\*_~|`<>#@[\]()-]/.test(character) ? `\\${character}` : character))
}

const failures: KnownFailures = {
  10015: ['gone', 'Discord no longer knows this webhook. Create a new one and enter its URL.'],
  10003: ['gone', 'The Discord channel no longer exists. Create a webhook in another channel.'],
  50027: ['gone', 'Discord refused the webhook URL. Copy it from Discord again.'],
  50035: ['refused', 'Discord refused the message.'],
  220001: ['gone', 'The Discord channel is a forum, to which this webhook can’t post. Create one in a text channel.'],
}

function judge({ status, body }: OutboundAnswer): DeliveryFailure | undefined {
  if (status < 400) return undefined
  const { code, retry_after: seconds } = readError(body)
  if (status === 429 && typeof seconds === 'number') {
    return new DeliveryFailure('Discord gets too many messages.', { retryAfterSeconds: Math.ceil(seconds) })
  }
  return findFailure(failures, String(code))
}

function readError(body: Buffer): { code?: unknown; retry_after?: unknown } {
  try {
    const error: unknown = JSON.parse(body.toString('utf8'))
    return typeof error === 'object' && error !== null ? error : {}
  } catch {
    return {}
  }
}
