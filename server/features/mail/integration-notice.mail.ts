import { type RenderedMail, renderMail } from './mail-layout.ts'
import { type Frame, makeNotes } from './notification.mail.ts'
import { breakLinks, quoteName } from './quote-name.ts'

/** An integration as emails about it name it. */
interface NamedIntegration {
  readonly integrationId: string
  /** As owners call it. */
  readonly name: string
  /** The service's own name. */
  readonly service: string
}

export interface DisabledIntegration extends NamedIntegration {
  readonly reason: string | null
}

export interface EndingToken extends NamedIntegration {
  readonly endsAt: Date
  readonly daysLeft: number
}

const owner = 'You get this email because you own this organisation.'

/** Tells an owner that Earshot disabled an integration. */
export function renderIntegrationDisabled(disabled: DisabledIntegration, frame: Frame): RenderedMail {
  const { integrationId, reason } = disabled
  const name = quoteName(disabled.name)
  return renderMail({
    kind: 'integration_disabled',
    subject: `Earshot disabled ${name}`,
    preview: reason === null ? 'Nothing is delivered any more.' : breakLinks(reason),
    title: 'An integration was disabled',
    paragraphs: [
      `Earshot disabled ${name} in ${quoteName(frame.organizationName)}. Nothing is delivered to ${disabled.service} any more.`,
      ...(reason === null ? [] : [`Reason: ${breakLinks(reason)}`]),
      'Fix the cause, then enable the integration. Deliveries that wait are sent then, and events that it missed can be replayed.',
    ],
    strong: [name],
    action: { label: 'View integration', url: `${frame.appUrl}/dashboard/integrations/${integrationId}` },
    notes: makeNotes(frame, owner),
    appUrl: frame.appUrl,
  })
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Warns an owner that the token of an integration expires. */
export function renderTokenEnding(ending: EndingToken, frame: Frame): RenderedMail {
  const { integrationId, endsAt, daysLeft, service } = ending
  const name = quoteName(ending.name)
  const day = dayFormat.format(endsAt)
  const when = daysLeft === 0 ? 'today' : daysLeft === 1 ? 'tomorrow' : `in ${daysLeft} days`
  return renderMail({
    kind: 'token_ending',
    subject: `Earshot: the token of ${name} expires ${when}`,
    preview: `Without a new token, deliveries stop on ${day}.`,
    title: `The token expires ${when}`,
    paragraphs: [
      `The token that connects ${name} in ${quoteName(frame.organizationName)} expires on ${day}. Deliveries stop without a valid token.`,
      `Create a new token in ${service} and enter it in Earshot. Nothing else changes.`,
    ],
    strong: [name, day],
    action: { label: 'Enter new token', url: `${frame.appUrl}/dashboard/integrations/${integrationId}/edit` },
    notes: makeNotes(frame, `${owner} It is sent 30, 7 and 1 days before a token expires.`),
    appUrl: frame.appUrl,
  })
}
