import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import type { IntegrationDefinition } from './define-integration.ts'
import { createServiceClient } from './delivery/service-client.ts'
import { DeliveryFailure } from './delivery-failure.ts'
import { type CheckedSettings, describeType } from './form-fields.ts'
import type { MemberEmails } from './member-emails.ts'

export interface ConnectParts {
  readonly outbound: Outbound
  readonly emails: MemberEmails
}

/**
 * Asks the service whether the settings lead anywhere.
 *
 * @throws ProductError `validation_failed` for an address that Earshot does not connect to; `integration_refused`, with the
 *   service's reason.
 */
export async function connectService(
  { outbound, emails }: ConnectParts,
  organizationId: string,
  definition: IntegrationDefinition,
  checked: CheckedSettings,
) {
  await checkAddresses(outbound, definition, checked)
  const { settings, secrets } = checked
  const texts = Object.values(secrets).filter((value) => typeof value === 'string')
  try {
    const connected = await definition.connect?.(
      { ...settings, ...secrets },
      {
        send: createServiceClient(outbound, texts).send,
        findStrangers: (addresses) => emails.findStrangers(organizationId, addresses),
      },
    )
    const { account, credentialsEndAt = null } = connected ?? {}
    return { account: account?.slice(0, 300) ?? null, credentialsEndAt }
  } catch (error) {
    if (error instanceof DeliveryFailure) throw new ProductError('integration_refused', { detail: error.message })
    throw error
  }
}

async function checkAddresses(
  outbound: Outbound,
  definition: IntegrationDefinition,
  { settings, secrets }: CheckedSettings,
): Promise<void> {
  for (const { name, kind } of describeType(definition).fields) {
    const value = settings[name] ?? secrets[name]
    if (kind !== 'url' || typeof value !== 'string') continue
    const refusal = await outbound.checkAddress(value)
    if (refusal !== undefined) throw invalid(`body.config.${name}`, refusal)
  }
}
