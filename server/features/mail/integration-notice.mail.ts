import type { RenderedMail } from './mail-layout.ts'
import type { Frame } from './notification.mail.ts'
import { breakLinks, quoteName } from './quote-name.ts'
import { openTemplate } from './templates/open-template.ts'
import { integrationDisabled, tokenEnding } from './templates/team.templates.ts'

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

/** Tells an owner that Earshot disabled an integration. */
export function renderIntegrationDisabled(disabled: DisabledIntegration, frame: Frame): RenderedMail {
  const { integrationId, reason, service } = disabled
  const { appUrl, unsubscribeUrl } = frame
  const integration = quoteName(disabled.name)
  const cause = reason === null ? '' : breakLinks(reason)
  return openTemplate(integrationDisabled, appUrl).render({
    ...{ appUrl, unsubscribeUrl, strong: [integration] },
    values: { integration, organization: quoteName(frame.organizationName), service, cause },
    phrases: { reason: reason !== null, withoutReason: reason === null },
    action: { url: `${appUrl}/dashboard/integrations/${integrationId}` },
  })
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Warns an owner that the token of an integration expires. */
export function renderTokenEnding(ending: EndingToken, frame: Frame): RenderedMail {
  const { integrationId, endsAt, daysLeft, service } = ending
  const { appUrl, unsubscribeUrl } = frame
  const opened = openTemplate(tokenEnding, appUrl)
  const integration = quoteName(ending.name)
  const day = dayFormat.format(endsAt)
  const remaining =
    daysLeft === 0
      ? opened.say('today')
      : daysLeft === 1
        ? opened.say('tomorrow')
        : opened.say('inDays', { days: String(daysLeft) })
  return opened.render({
    ...{ appUrl, unsubscribeUrl, strong: [integration, day] },
    values: { integration, organization: quoteName(frame.organizationName), service, day, remaining },
    action: { url: `${appUrl}/dashboard/integrations/${integrationId}/edit` },
  })
}
