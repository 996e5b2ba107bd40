import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Inbox, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Delivery, type DeliveryDetail, retryDelivery, testEvent } from '#contract/deliveries.ts'
import type { Integration } from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatFullTime } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { RequestNote } from '#web/ui/request-note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { deliveryQuery } from '../integration-queries.ts'
import { integrationsKey } from '../integrations-query.ts'
import { formatBody, readRequest } from './read-exchange.ts'

interface DetailsProps {
  delivery: Delivery
  integration: Integration
}

/** The attempts of a delivery, its body, and a retry. */
export function DeliveryDetails({ delivery, integration }: DetailsProps) {
  const { organization } = useOrganization()
  const { data, error, refetch } = useQuery(deliveryQuery(organization.id, integration.id, delivery.id))
  return (
    <div className="flex min-w-0 flex-col gap-5 border-border border-t bg-sunken px-4 py-4 sm:pl-11">
      <Actions delivery={delivery} integration={integration} />
      {data ? (
        <>
          <Attempts detail={data} />
          {data.body !== null && <Code label="Body" code={formatBody(data.body)} />}
          <p className="text-muted text-sm [overflow-wrap:anywhere]">
            Delivery ID <code className="font-mono">{data.id}</code>
          </p>
        </>
      ) : error ? (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-base">
          Couldn’t load the delivery. {error.message}
          <RequestNote error={error} />
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : (
        <output>
          <span className="sr-only">Loading delivery</span>
          <Skeleton className="h-40" />
        </output>
      )}
    </div>
  )
}

function Actions({ delivery, integration }: DetailsProps) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const retrying = useMutation({
    mutationFn: () =>
      call(retryDelivery, {
        params: { organizationId: organization.id, integrationId: integration.id, deliveryId: delivery.id },
      }),
    networkMode: 'always',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: integrationsKey(organization.id) }),
    onError: (error) => toast({ title: error.message, tone: 'danger' }),
  })
  const { state, event, feedbackId } = delivery
  // A test is sent again by the button of the page.
  const canRetry = event !== testEvent && state !== 'dropped'
  const isRunning = integration.state === 'active' || integration.state === 'failing'
  if (!canRetry && feedbackId === null) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      {canRetry && (
        <Button
          variant="secondary"
          size="sm"
          disabled={!isRunning}
          loading={retrying.isPending}
          onClick={() => retrying.mutate()}
        >
          <RotateCw aria-hidden="true" />
          {state === 'delivered' ? 'Send again' : 'Retry now'}
        </Button>
      )}
      {feedbackId !== null && (
        <Button asChild variant="ghost" size="sm">
          <Link to={`/dashboard/feedback?item=${feedbackId}`}>
            <Inbox aria-hidden="true" />
            View item
          </Link>
        </Button>
      )}
      {canRetry && !isRunning && (
        <p className="text-muted text-sm">
          {integration.state === 'paused' ? 'Resume' : 'Enable'} the integration to send it.
        </p>
      )}
    </div>
  )
}

/** Latest first. Earlier ones are closed: they mostly say the same. */
function Attempts({ detail: { log, body } }: { detail: DeliveryDetail }) {
  if (log.length === 0) return <p className="text-base text-muted">Not attempted yet.</p>
  return (
    <ol aria-label="Attempts" className="flex flex-col gap-3">
      {log.map((attempt, index) => (
        <li key={attempt.number} className="min-w-0">
          <Attempt attempt={attempt} body={body} isLatest={index === 0} />
        </li>
      ))}
    </ol>
  )
}

interface AttemptProps {
  attempt: DeliveryDetail['log'][number]
  body: string | null
  isLatest: boolean
}

function Attempt({ attempt, body, isLatest }: AttemptProps) {
  const { number, createdAt, durationMs, status, failure, request, response } = attempt
  const [isOpen, setOpen] = useState(isLatest)
  const sent = request === null ? undefined : readRequest(request)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="rounded-sm py-1 text-base marker:text-muted">
        <span className="font-medium">Attempt {number}</span>{' '}
        <span className="text-muted">
          {status ?? 'No answer'} in {durationMs} ms · <time dateTime={createdAt}>{formatFullTime(createdAt)}</time>
        </span>
      </summary>
      <div className="mt-2 flex min-w-0 flex-col gap-3">
        {failure !== null && <p className="text-base text-danger-text [overflow-wrap:anywhere]">{failure}</p>}
        {sent && <Code label={`Request of attempt ${number}`} title="Request" code={sent.head} />}
        {/* Services get the event in a shape of their own; a webhook gets it as it stands below. */}
        {sent && sent.body !== '' && sent.body !== body && (
          <Code label={`Request body of attempt ${number}`} title="Request body" code={formatBody(sent.body)} />
        )}
        {response !== null && response !== '' && (
          <Code label={`Response of attempt ${number}`} title="Response" code={formatBody(response)} />
        )}
      </div>
    </details>
  )
}

/** Wide, with its button above: the lines of JSON are long. */
function Code({ label, title = label, code }: { label: string; title?: string; code: string }) {
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-1">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-muted text-sm">{title}</h3>
        <CopyButton iconOnly variant="ghost" text={code} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach that
        tabIndex={0}
        className="max-h-80 overflow-y-auto whitespace-pre-wrap rounded-md border border-border bg-surface p-3 font-mono text-sm leading-5 [overflow-wrap:anywhere]"
      >
        <code>{code}</code>
      </pre>
    </section>
  )
}
