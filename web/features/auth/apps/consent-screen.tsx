import { useMutation, useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { type ConnectionRequest, connectApp, describeConnection } from '#contract/connected-apps.ts'
import type { KeyScope } from '#contract/key-scope.ts'
import type { OwnOrganization } from '#contract/own-organizations.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { ownOrganizationsQuery } from '#web/lib/own-organizations-query.ts'
import { buildLoginPath } from '#web/lib/redirect.ts'
import { readSelectedOrganization } from '#web/lib/selected-organization.ts'
import { signOut, useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Select } from '#web/ui/select.tsx'
import { Address, AuthFrame, AuthSpinner, FormError } from '../auth-frame.tsx'

const documentTitle = 'Connect an app'
const parameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
] as const satisfies readonly (keyof ConnectionRequest)[]

type Description = Awaited<ReturnType<typeof call<typeof describeConnection>>>

/** Asks whether an app may act in the person's name: where, and how far. Only signed-in people get here. */
export function ConsentScreen() {
  const { search } = useLocation()
  const user = useUser()
  const request = readRequest(search)
  const described = useQuery({
    queryKey: ['connection-request', user.id, search],
    queryFn: ({ signal }) => call(describeConnection, { body: request, signal }),
    // The same request has the same answer; a refusal is final.
    staleTime: Number.POSITIVE_INFINITY,
    retry: (count, error) => !(error instanceof ApiError) && count < 2,
  })
  const organizations = useQuery(ownOrganizationsQuery())
  const { data, error } = described

  if (error instanceof ApiError && error.status === 400) return <RefusedScreen message={error.message} />
  const failed = [described, organizations].find(({ isError, data: answer }) => isError && !answer)
  if (failed?.error) {
    return (
      <AuthFrame title={documentTitle}>
        <LoadFailure title="Couldn’t load the request" error={failed.error} onRetry={() => failed.refetch()} />
      </AuthFrame>
    )
  }
  if (!data || !organizations.data) return <AuthSpinner documentTitle={documentTitle} label="Loading the request" />
  if (data.refusal !== null) return <RefusedScreen message={data.refusal} backTo={data.cancelTo} />
  const open = organizations.data.items.filter(({ deleteAfter }) => deleteAfter === null)
  if (open.length === 0)
    return <RefusedScreen message="You are not a member of an organisation." backTo={data.cancelTo} />
  return <ConsentForm request={request} described={data} organizations={open} />
}

function readRequest(search: string): ConnectionRequest {
  const query = new URLSearchParams(search)
  return Object.fromEntries(
    parameters.flatMap((name) => {
      const value = query.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

function RefusedScreen({ message, backTo }: { message: string; backTo?: string }) {
  return (
    <AuthFrame title="This app can’t be connected" documentTitle={documentTitle} description={message}>
      {backTo === undefined ? (
        <Button asChild variant="secondary">
          <Link to="/dashboard">Go to Dashboard</Link>
        </Button>
      ) : (
        <Button variant="secondary" onClick={() => window.location.assign(backTo)}>
          Return to the app
        </Button>
      )}
    </AuthFrame>
  )
}

const accesses: readonly { name: string; about: string; scopes: readonly KeyScope[] }[] = [
  {
    name: 'Read only',
    about: 'List, search and read items, with pictures and visitors’ details.',
    scopes: ['read'],
  },
  {
    name: 'Read and write',
    about: 'Also add internal notes and change the status. Histories show the app and your name.',
    scopes: ['read', 'write'],
  },
]

function ConsentForm({
  request,
  described: { appName, redirectHost, isLocal, cancelTo },
  organizations,
}: {
  request: ConnectionRequest
  described: Description
  organizations: readonly OwnOrganization[]
}) {
  const user = useUser()
  const location = useLocation()
  const selected = readSelectedOrganization()
  const first = organizations.find(({ id }) => id === selected) ?? organizations[0]
  const [organizationId, setOrganizationId] = useState(first?.id ?? '')
  const [access, setAccess] = useState(0)
  const connect = useMutation({
    mutationFn: () =>
      call(connectApp, { body: { request, organizationId, scopes: [...(accesses[access]?.scopes ?? [])] } }),
    networkMode: 'always',
    retry: false,
    onSuccess: ({ redirectTo }) => window.location.assign(redirectTo),
  })
  // An app on the device opens beside this page, which stays.
  if (connect.isSuccess) return <ConnectedScreen appName={appName} />
  return (
    <AuthFrame
      title={`Connect “${appName}”?`}
      documentTitle={documentTitle}
      description={<p>This app asks to work with your feedback, in your name.</p>}
      footer={
        <p>
          Signed in as <Address>{user.email ?? ''}</Address>.{' '}
          <button
            type="button"
            className="cursor-pointer rounded-sm font-medium text-accent-text underline-offset-4 hover:underline"
            onClick={() => signOut('local', buildLoginPath(location))}
          >
            Switch account
          </button>
        </p>
      }
    >
      <form
        method="post"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          connect.mutate()
        }}
      >
        <Warning redirectHost={redirectHost} isLocal={isLocal} />
        <Field label="Organisation">
          {(control) => (
            <Select {...control} value={organizationId} onChange={(event) => setOrganizationId(event.target.value)}>
              {organizations.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <AccessChoice access={access} onChange={setAccess} />
        {connect.error && <FormError>{connect.error.message}</FormError>}
        <div className="flex flex-col gap-2">
          <Button type="submit" loading={connect.isPending}>
            Connect app
          </Button>
          <Button type="button" variant="secondary" onClick={() => window.location.assign(cancelTo)}>
            Cancel
          </Button>
        </div>
      </form>
    </AuthFrame>
  )
}

function Warning({ redirectHost, isLocal }: Pick<Description, 'redirectHost' | 'isLocal'>): ReactNode {
  return (
    <div className="flex gap-3 rounded-md bg-warning-soft px-3 py-2.5 text-base text-warning-text">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p>The app’s name is not verified. Continue only if you just started this from an app that you trust.</p>
        <p className="mt-1.5">
          Access goes to <strong className="font-semibold">{redirectHost}</strong>
          {isLocal && ', an app on this device'}.
        </p>
      </div>
    </div>
  )
}

function AccessChoice({ access, onChange }: { access: number; onChange: (index: number) => void }): ReactNode {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1.5 font-medium text-base">Access</legend>
      {accesses.map(({ name, about }, index) => (
        <label
          key={name}
          className="flex items-start gap-3 rounded-md border border-border p-3 has-[:checked]:border-accent has-[:checked]:bg-sunken"
        >
          <input
            type="radio"
            name="access"
            className="mt-1 accent-accent"
            checked={access === index}
            onChange={() => onChange(index)}
          />
          <span className="flex flex-col">
            <span className="font-medium text-base">{name}</span>
            <span className="text-muted text-sm">{about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function ConnectedScreen({ appName }: { appName: string }) {
  return (
    <AuthFrame
      title={`“${appName}” is connected`}
      documentTitle={documentTitle}
      description="Return to the app. You can close this page, and disconnect the app in your settings."
    >
      <Button asChild variant="secondary">
        <Link to="/dashboard/settings">Go to settings</Link>
      </Button>
    </AuthFrame>
  )
}
