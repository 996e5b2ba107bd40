import Type from 'typebox'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { describeItem } from '../describe-item.ts'
import { fitText } from '../fit-text.ts'

/** Sends push notifications by a Gotify server: https://gotify.net/docs/pushmsg */
export const gotify = defineIntegration({
  type: 'gotify',
  name: 'Gotify',
  category: 'chat',
  summary: 'Sends push notifications by your own Gotify server.',
  guide: null,
  settings: Type.Object({
    server: Type.String({
      title: 'Server',
      description: 'Address of your Gotify server.',
      examples: ['https://gotify.example.com'],
      format: 'uri',
      maxLength: 300,
    }),
    token: Type.String({
      title: 'App token',
      description: 'From the page “Apps” of Gotify.',
      pattern: '^[!-~]+$',
      maxLength: 100,
      secret: true,
    }),
  }),
  defaultEvents: ['feedback.created', 'feedback.answered'],

  deliver: async (content, { server, token }, { send }) => {
    const { title, sentence, text, url } = describeItem(content)
    const message = [sentence, text].filter((part) => part !== '').join('\n\n')
    await send(`${server.replace(/\/+$/, '')}/message`, {
      headers: { 'x-gotify-key': token },
      json: {
        title,
        message: fitText(message, 2000),
        priority: content.data.feedback?.priority === 'urgent' ? 8 : 5,
        ...(url !== null && { extras: { 'client::notification': { click: { url } } } }),
      },
      judge: ({ status }) =>
        status === 413
          ? new DeliveryFailure('Gotify refused the message because it is too long.', { kind: 'refused' })
          : undefined,
    })
  },
})
