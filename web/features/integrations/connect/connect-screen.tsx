import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router'
import { type CreatedIntegration, createIntegration, type IntegrationType } from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { IntegrationMark } from '#web/shared/integration-mark.tsx'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { ShownSecret } from '#web/ui/shown-secret.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { GithubAppStart } from '../github-app/github-app-start.tsx'
import { integrationTypesQuery } from '../integration-queries.ts'
import { integrationsKey } from '../integrations-query.ts'
import { OwnersOnly } from '../owners-only.tsx'
import { SendTest } from '../send-test.tsx'
import { startDraft, toNewIntegration } from './integration-draft.ts'
import { IntegrationForm } from './integration-form.tsx'

/** Connects a service: its form, then its signing secret and a test. */
export default function ConnectScreen() {
  const { type = '' } = useParams()
  const { organization, can } = useOrganization()
  const { data: services, error, refetch } = useQuery(integrationTypesQuery(organization.id))
  const service = services?.find((each) => each.type === type)
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <BackLink to="/dashboard/integrations">Integrations</BackLink>
      <title>{`Connect ${service?.name ?? 'a service'} · Earshot`}</title>
      {!service && <h1 className="sr-only">Connect a service</h1>}
      {!can('manage_integrations') ? (
        <OwnersOnly />
      ) : service ? (
        <Connect key={service.type} service={service} />
      ) : services ? (
        <UnknownService />
      ) : error ? (
        <LoadFailure title="Couldn’t load the service" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="mt-6 h-96 rounded-lg" />
      )}
    </div>
  )
}

function Connect({ service }: { service: IntegrationType }) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(() => startDraft(service))
  const connecting = useMutation({
    mutationFn: () =>
      call(createIntegration, {
        params: { organizationId: organization.id },
        body: toNewIntegration(service, draft),
      }),
    networkMode: 'always',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: integrationsKey(organization.id) }),
  })
  if (connecting.data) {
    return (
      <>
        <Heading service={service}>{connecting.data.name} is connected</Heading>
        <Connected created={connecting.data} service={service} />
      </>
    )
  }
  return (
    <>
      <Heading service={service}>Connect {service.name}</Heading>
      <div className="mt-8">
        {service.type === 'github' && (
          <>
            <GithubAppStart />
            <h2 className="mb-6 border-border border-t pt-8 font-semibold text-xl">Or connect with a token</h2>
          </>
        )}
        <IntegrationForm
          service={service}
          draft={draft}
          onChange={setDraft}
          onSubmit={() => connecting.mutate()}
          refusal={connecting.error}
          isPending={connecting.isPending}
          submitLabel={`Connect ${service.name}`}
          cancel={
            <Button asChild variant="secondary">
              <Link to="/dashboard/integrations">Cancel</Link>
            </Button>
          }
        />
      </div>
    </>
  )
}

function Heading({ service, children }: { service: IntegrationType; children: ReactNode }) {
  return (
    <header className="mt-4 flex min-w-0 items-center gap-3">
      <IntegrationMark service={service} />
      <h1 className="min-w-0 break-words font-semibold text-2xl">{children}</h1>
    </header>
  )
}

/** The step after connecting: the secret, shown this once, and a test. */
function Connected({ created, service }: { created: CreatedIntegration; service: IntegrationType }) {
  return (
    <div className="mt-6 flex max-w-2xl flex-col gap-6">
      {created.secret !== undefined && (
        <Card>
          <CardHeader>
            <CardTitle>Signing secret</CardTitle>
            <CardDescription>Copy the secret now. You can’t see it again.</CardDescription>
          </CardHeader>
          <CardContent>
            <ShownSecret secret={created.secret} label="Signing secret">
              <SecretUse hook={created.hook} name={service.name} />
            </ShownSecret>
          </CardContent>
        </Card>
      )}
      <Card>
        <CardHeader>
          <CardTitle>Test the connection</CardTitle>
          <CardDescription>
            {created.hook === 'none'
              ? 'A test delivers a sample item.'
              : `A test asks ${service.name} whether it answers. It creates no issue.`}
          </CardDescription>
        </CardHeader>
        <CardContent>
          <SendTest integrationId={created.id} />
        </CardContent>
      </Card>
      <Button asChild className="self-end">
        <Link to={`/dashboard/integrations/${created.id}`}>View integration</Link>
      </Button>
    </div>
  )
}

/** What the secret is for: a receiver of deliveries, or a tracker that calls Earshot. */
function SecretUse({ hook, name }: { hook: CreatedIntegration['hook']; name: string }) {
  if (hook === 'by_hand') return `Enter it in the webhook that you add in ${name}.`
  if (hook !== 'none')
    return `Earshot adds a webhook with this secret to ${name}. You need it only to add the webhook yourself.`
  return (
    <>
      Your receiver verifies the header <code className="font-mono">webhook-signature</code> of each delivery with it.
      Any Standard Webhooks library does that.
    </>
  )
}

function UnknownService() {
  return (
    <EmptyState
      icon={<Plug />}
      title="Service not found"
      action={
        <Button asChild variant="secondary">
          <Link to="/dashboard/integrations">All integrations</Link>
        </Button>
      }
    >
      This version of Earshot does not connect it.
    </EmptyState>
  )
}
