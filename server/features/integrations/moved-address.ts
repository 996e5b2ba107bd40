import { ProductError } from '#server/platform/http/product-error.ts'
import type { IntegrationDefinition } from './define-integration.ts'
import { describeType } from './form-fields.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Stored secrets go to the server that they were entered for: who changes the address must know them, so that no one gets
 * them by naming a server of their own.
 *
 * @param given what the owner entered now.
 * @throws ProductError `validation_failed`, which names each secret that must be entered again.
 */
export function requireSecretsAgain(
  definition: IntegrationDefinition,
  { before, after, stored, given }: { before: Values; after: Values; stored: Values; given: Values },
): void {
  const addresses = describeType(definition).fields.filter(({ kind, isSecret }) => kind === 'url' && !isSecret)
  if (addresses.every(({ name }) => readOrigin(before[name]) === readOrigin(after[name]))) return
  const kept = Object.keys(stored).filter((name) => !(name in given))
  if (kept.length === 0) return
  const message = 'must be entered again, because the address leads to another server'
  throw new ProductError('validation_failed', {
    fields: kept.map((name) => ({ path: `body.config.${name}`, message })),
  })
}

const readOrigin = (value: unknown) =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : undefined
