import type { ReactNode } from 'react'
import type { Integration, IntegrationField, IntegrationType } from '#contract/integrations.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { nameEvent } from './event-words.ts'
import { formatWaiting } from './integration-state.tsx'
import { describeMapping } from './mapping/mapping-draft.ts'
import { describeRules, useRuleFacets } from './rule-facets.ts'

interface FactsProps {
  integration: Integration
  service: IntegrationType | undefined
}

/** The settings of an integration, and what it has done. Secrets are said to be there, no more. */
export function IntegrationFacts({ integration, service }: FactsProps) {
  const { lastDeliveredAt, waiting, credentialsEndAt, createdAt, events, rules, config, storedSecrets } = integration
  const ruleLines = describeRules(rules, useRuleFacets(rules))
  return (
    <Card className="min-w-0">
      <CardHeader>
        <CardTitle>Details</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="flex flex-col gap-4 text-base">
          <Detail name="Last delivery">
            {lastDeliveredAt === null ? 'None yet' : <RelativeTime iso={lastDeliveredAt} />}
          </Detail>
          <Detail name="Queue">{waiting === 0 ? 'Empty' : formatWaiting(waiting)}</Detail>
          {storedSecrets.includes('app') && <Detail name="Access">GitHub App</Detail>}
          {integration.hook !== 'none' && (
            <Detail name={`Changes in ${service?.name ?? 'the tracker'}`}>
              {describeHook(integration, service?.name ?? 'The tracker')}
            </Detail>
          )}
          {credentialsEndAt !== null && (
            <Detail name="Token">
              {Date.parse(credentialsEndAt) < Date.now() ? 'Expired' : 'Expires'} on {formatDay(credentialsEndAt)}
            </Detail>
          )}
          {service?.fields.map((field) => {
            const value = describeValue(field, config[field.name], storedSecrets.includes(field.name))
            return value === undefined ? null : (
              <Detail key={field.name} name={field.label}>
                {value}
              </Detail>
            )
          })}
          <Detail name="Events">
            <Lines lines={events.map(nameEvent)} />
          </Detail>
          <Detail name="Feedback">
            {ruleLines.length === 0 ? 'Everything in the inbox' : <Lines lines={ruleLines} />}
          </Detail>
          {service?.issues && (
            <Detail name="Mapping">
              <Lines lines={describeMapping(integration.mapping)} />
            </Detail>
          )}
          <Detail name="Connected">
            <RelativeTime iso={createdAt} />
          </Detail>
        </dl>
      </CardContent>
    </Card>
  )
}

/** How soon a change in the tracker is seen, and why not at once. */
function describeHook({ hook, hookFailure }: Integration, name: string): string {
  if (hook === 'registered') return 'Changes arrive at once.'
  const why = {
    none: '',
    pending: `, until ${name} has the webhook`,
    refused: `, because ${name} refused the webhook`,
    unreachable: `, because ${name} can’t call an address of your own network`,
    by_hand: `. Add the webhook in ${name} to get them at once`,
  }[hook]
  return [`Changes are asked for each minute${why}.`, hookFailure].filter((part) => part !== null).join(' ')
}

/** Undefined: the field is empty. */
function describeValue({ kind, options, isSecret }: IntegrationField, value: unknown, isStored: boolean) {
  if (isSecret) return isStored ? 'Stored' : undefined
  // Its own line says when the token expires.
  if (kind === 'date') return undefined
  if (kind === 'switch') return value === true ? 'On' : 'Off'
  if (typeof value !== 'string') return undefined
  return kind === 'choice' ? (options.find((option) => option.value === value)?.label ?? value) : value
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="whitespace-pre-line [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line) => (
    <span key={line} dir="auto" className="block">
      {line}
    </span>
  ))
}
