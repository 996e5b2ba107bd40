import type { Static, TObject } from 'typebox'
import type { DeliveredEvent, IntegrationType } from '#contract/integrations.ts'
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import type { RenderedMail } from '../mail/mail.service.ts'
import type { DeliveryContent } from './delivery/read-content.ts'
import type { Tracker } from './issues/tracker.ts'
import type { ServiceRequest } from './service-request.ts'

/** What a type delivers with. */
export interface DeliveryTools {
  /** The same at every attempt: for services that recognise repetitions. */
  readonly deliveryId: string
  /**
   * Asks the service. The attempt's log keeps what was sent and answered; header values that hold a secret are left out.
   *
   * @throws DeliveryFailure for every answer that is no 2xx, and when there is none.
   */
  send(url: string, request?: ServiceRequest): Promise<OutboundAnswer>
  /**
   * Emails members of the organisation, once for each delivery and address. Addresses of others get nothing.
   *
   * @throws DeliveryFailure when none of the addresses belongs to a member, or when one gets too many emails.
   */
  sendEmails(to: readonly string[], render: (frame: EmailFrame) => RenderedMail): Promise<void>
  /** Those of the addresses that belong to no member with a confirmed account. */
  findStrangers(addresses: readonly string[]): Promise<string[]>
  /** Signatures of a body, by all secrets that are valid now (Standard Webhooks 1.0). */
  sign(timestamp: number, body: string): string
}

/** What emails of an organisation need. */
export interface EmailFrame {
  readonly organizationName: string
  /** False: emails contain no words of visitors. */
  readonly holdsWords: boolean
  readonly appUrl: string
}

/** What a connection is checked with. */
export type ConnectTools = Pick<DeliveryTools, 'send' | 'findStrangers'>

/** What the service says of the connection when it is made or changed. */
export interface Connected {
  /** What it leads to, in the service's own words, such as a channel or a repository. */
  readonly account?: string
  /** When the token ends. */
  readonly credentialsEndAt?: Date | null
}

/**
 * A service that events can be delivered to: one file of `types/`, and a line in `registry.ts`. The guide “Write an
 * integration” leads through it.
 */
export interface IntegrationDefinition<Settings extends TObject = TObject> {
  readonly type: string
  readonly name: string
  readonly category: IntegrationType['category']
  readonly summary: string
  readonly guide: string | null
  /**
   * What the form asks for. Each field needs a `title`; `description` is its help, `examples` its placeholder, and
   * `secret: true` keeps it encrypted and unseen.
   */
  readonly settings: Settings
  readonly defaultEvents: readonly DeliveredEvent[]
  readonly isSigned?: boolean
  /** Refuses what the schema can't: an error by field name. */
  readonly checkSettings?: (settings: Static<Settings>) => Readonly<Record<string, string>> | undefined
  /** Asks the service whether the settings lead anywhere, before they are stored. Default: the first delivery shows it. */
  readonly connect?: (settings: Static<Settings>, tools: ConnectTools) => Promise<Connected>
  /** Links items to issues, and keeps both alike. A type with it has no `deliver`. */
  readonly tracker?: Tracker<Static<Settings>>
  /** @throws DeliveryFailure. */
  readonly deliver?: (content: DeliveryContent, settings: Static<Settings>, tools: DeliveryTools) => Promise<void>
}

/** Declares a type and keeps the exact type of its settings to itself. */
export function defineIntegration<const Settings extends TObject>(
  definition: IntegrationDefinition<Settings>,
): IntegrationDefinition {
  // The engine hands every type settings that its own schema has accepted.
  return definition as unknown as IntegrationDefinition
}
