import Type from 'typebox'
import { defineIntegration } from '../define-integration.ts'

const forbidden = /^(host|content-length|content-type|connection|transfer-encoding|webhook-(id|timestamp|signature))$/i

/** Posts events to any address, signed as Standard Webhooks 1.0 says: https://www.standardwebhooks.com */
export const webhook = defineIntegration({
  type: 'webhook',
  name: 'Webhook',
  category: 'automation',
  summary: 'Posts every event to an address of yours, signed, with retries for a day.',
  guide: 'webhooks',
  settings: Type.Object({
    url: Type.String({
      title: 'Address',
      description: 'Where events are posted as JSON.',
      examples: ['https://example.com/earshot'],
      format: 'uri',
      maxLength: 2000,
    }),
    headers: Type.Optional(
      Type.String({
        title: 'Headers',
        description: 'Further headers, one in each line, for example to sign in at your receiver.',
        examples: ['X-Tenant: acme'],
        format: 'lines',
        secret: true,
        maxLength: 4000,
      }),
    ),
  }),
  defaultEvents: [
    'feedback.created',
    'feedback.status_changed',
    'feedback.updated',
    'feedback.commented',
    'feedback.replied',
    'feedback.answered',
    'feedback.deleted',
  ],
  isSigned: true,

  checkSettings: ({ headers = '' }) => {
    const wrong = splitLines(headers).find((line) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ \t]*[ -~]*$/.test(line))
    if (wrong !== undefined) return { headers: 'Write each header as “Name: value”, in letters of ASCII.' }
    const taken = splitLines(headers).find((line) => forbidden.test(line.slice(0, line.indexOf(':'))))
    return taken === undefined
      ? undefined
      : { headers: `Earshot sets the header ${taken.slice(0, taken.indexOf(':'))} itself.` }
  },

  deliver: async ({ body }, { url, headers = '' }, { deliveryId, send, sign }) => {
    const timestamp = Math.floor(Date.now() / 1000)
    await send(url, {
      method: 'POST',
      body,
      headers: {
        ...Object.fromEntries(splitLines(headers).map(toHeader)),
        'content-type': 'application/json',
        'webhook-id': deliveryId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign(timestamp, body),
      },
    })
  },
})

function splitLines(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}

function toHeader(line: string): [string, string] {
  const at = line.indexOf(':')
  return [line.slice(0, at), line.slice(at + 1).trim()]
}
