import Type from 'typebox'
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { type DeliveryTools, defineIntegration } from '../define-integration.ts'
import { DeliveryFailure, findFailure, type KnownFailures } from '../delivery-failure.ts'
import { writeSlackMessage } from './slack-message.ts'

const slackApi = 'https://slack.com/api'

/** Posts to any channel as an app of the workspace: https://docs.slack.dev/reference/methods/chat.postMessage */
export const slackApp = defineIntegration({
  type: 'slack_app',
  name: 'Slack app',
  category: 'chat',
  summary: 'Posts new feedback to any channel that your own Slack app is in.',
  guide: 'slack',
  settings: Type.Object({
    token: Type.String({
      title: 'Bot token',
      description: 'From “OAuth & Permissions” of your Slack app, with the scope chat:write.',
      examples: ['xoxb-…'],
      minLength: 10,
      maxLength: 300,
      pattern: '^[!-~]+$',
      secret: true,
    }),
    channel: Type.String({
      title: 'Channel',
      description: 'The channel’s ID, from its details in Slack, or its name. Invite the app to it.',
      examples: ['C0123456789'],
      maxLength: 80,
    }),
    apiUrl: Type.Optional(
      Type.String({
        title: 'API address',
        description: 'Change it only for GovSlack: https://slack-gov.com/api.',
        examples: [slackApi],
        format: 'uri',
        maxLength: 300,
      }),
    ),
  }),
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.answered'],

  connect: async (settings, { send }) => {
    const answer = readAnswer(await call(send, settings, 'auth.test', {}))
    const team = typeof answer.team === 'string' ? answer.team : 'Slack'
    return { account: `${team}, ${settings.channel}` }
  },

  deliver: async (content, settings, { send }) => {
    const post = (withPicture: boolean) =>
      call(send, settings, 'chat.postMessage', {
        channel: settings.channel,
        ...writeSlackMessage(content, withPicture),
      })
    await post(true).catch((error: unknown) => {
      // Slack could not load the picture: an instance in a private network, or a file that was deleted since.
      if (error instanceof DeliveryFailure && error.kind === 'refused') return post(false)
      throw error
    })
  },
})

function call(
  send: DeliveryTools['send'],
  { token, apiUrl = slackApi }: { token: string; apiUrl?: string },
  method: string,
  json: object,
) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' }
  return send(`${apiUrl.replace(/\/+$/, '')}/${method}`, { headers, json, judge })
}

const revoked = 'Slack no longer accepts the bot token. Copy it from the Slack app again.'
const failures: KnownFailures = {
  channel_not_found: ['retry', 'Slack finds no such channel. Check its ID, and invite the app to it.'],
  not_in_channel: ['retry', 'The Slack app is not in the channel. Invite it there with /invite.'],
  is_archived: ['retry', 'The Slack channel is archived. Unarchive it, or enter another one.'],
  missing_scope: ['retry', 'The Slack app lacks the scope chat:write. Add it, and install the app again.'],
  restricted_action: ['retry', 'An administrator of the Slack workspace does not allow the app to post there.'],
  ratelimited: ['retry', 'Slack gets too many messages.'],
  rate_limited: ['retry', 'Slack gets too many messages.'],
  invalid_auth: ['gone', revoked],
  not_authed: ['gone', revoked],
  token_revoked: ['gone', revoked],
  token_expired: ['gone', revoked],
  account_inactive: ['gone', 'The Slack app was removed from the workspace. Install it again.'],
  invalid_blocks: ['refused', 'Slack refused the message or its picture.'],
  msg_too_long: ['refused', 'Slack refused the message because it is too long.'],
}

/** Slack answers 200 with `ok: false` and a word for the reason. */
function judge(answer: OutboundAnswer): DeliveryFailure | undefined {
  if (answer.status > 299) return undefined
  const { ok, error } = readAnswer(answer)
  if (ok === true) return undefined
  const word = typeof error === 'string' ? error.slice(0, 60) : ''
  const seconds = Number(answer.headers['retry-after'])
  const known = findFailure(failures, word, seconds > 0 ? { retryAfterSeconds: seconds } : {})
  return (
    known ?? new DeliveryFailure(word === '' ? 'Slack gave no readable answer.' : `Slack refused the message: ${word}.`)
  )
}

function readAnswer({ body }: OutboundAnswer): { ok?: unknown; error?: unknown; team?: unknown } {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'))
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return {}
  }
}
