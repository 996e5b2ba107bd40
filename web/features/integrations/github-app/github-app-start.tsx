import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { startGithubApp } from '#contract/github-app.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SettingsBar, SettingsSection } from '#web/ui/settings-section.tsx'
import { githubAppsQuery } from './github-app-queries.ts'

/** Begins to connect GitHub by an App, or continues with one that was created. */
export function GithubAppStart() {
  const { organization } = useOrganization()
  const [account, setAccount] = useState('')
  const [webUrl, setWebUrl] = useState('')
  const starting = useMutation({
    mutationFn: () =>
      call(startGithubApp, {
        params: { organizationId: organization.id },
        body: {
          ...(account.trim() !== '' && { account: account.trim() }),
          ...(webUrl.trim() !== '' && { webUrl: webUrl.trim() }),
        },
      }),
    networkMode: 'always',
    onSuccess: ({ continueTo }) => window.location.assign(continueTo),
  })
  const errors = readErrors(starting.error)
  const general = starting.error && Object.keys(errors).length === 0 ? starting.error.message : undefined
  return (
    <SettingsSection
      title="GitHub App"
      description="Recommended. GitHub creates an App that is yours, with access to issues alone. It does not expire, and changes arrive at once."
    >
      <form
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!starting.isPending && !starting.isSuccess) starting.mutate()
        }}
      >
        <div className="flex flex-col gap-4 p-5">
          <CreatedApps />
          <p className="text-base">
            You name the App on GitHub, install it, and select a repository here. That takes about a minute.
          </p>
          <PlaceField
            label="GitHub organisation"
            hint="Owns the App. Leave it empty for repositories of your own account."
            placeholder="acme"
            error={errors.account}
            value={account}
            onChange={setAccount}
          />
          <PlaceField
            label="GitHub Enterprise Server"
            hint="Its address. Leave it empty for github.com."
            placeholder="https://github.example.com"
            error={errors.webUrl}
            value={webUrl}
            onChange={setWebUrl}
          />
          {general !== undefined && (
            <p role="alert" className="rounded-md bg-danger-soft px-4 py-3 text-base text-danger-text">
              {general}
            </p>
          )}
        </div>
        <SettingsBar>
          <Button type="submit" loading={starting.isPending || starting.isSuccess}>
            Connect with a GitHub App
          </Button>
        </SettingsBar>
      </form>
    </SettingsSection>
  )
}

function PlaceField({
  label,
  hint,
  placeholder,
  error,
  value,
  onChange,
}: {
  label: string
  hint: string
  placeholder: string
  error: string | undefined
  value: string
  onChange: (value: string) => void
}) {
  return (
    <Field label={label} aside="Optional" hint={hint} error={error}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** Of those who left before a repository was connected. */
function CreatedApps() {
  const { organization } = useOrganization()
  const { data: apps = [] } = useQuery(githubAppsQuery(organization.id))
  return apps.map(({ id, name }) => (
    <div
      key={id}
      className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-border bg-sunken px-4 py-3"
    >
      <p className="min-w-0 text-base [overflow-wrap:anywhere]">
        <bdi className="font-medium">{name}</bdi> is not connected yet.
      </p>
      <Button asChild variant="secondary" size="sm">
        <Link to={`/dashboard/integrations/github-app/${id}`} aria-label={`Continue with ${name}`}>
          Continue
        </Link>
      </Button>
    </div>
  ))
}

/** The server's refusals, by field. */
function readErrors(error: Error | null): { account?: string; webUrl?: string } {
  if (!(error instanceof ApiError)) return {}
  const find = (name: string) => error.problem.fields?.find(({ path }) => path === `body.${name}`)?.message
  const webUrl = find('webUrl')
  return {
    ...(find('account') !== undefined && {
      account: 'Enter the name of the organisation as in its address on GitHub.',
    }),
    ...(webUrl !== undefined && {
      webUrl: /^[a-z]/.test(webUrl) ? 'Enter a full address, such as https://github.example.com.' : webUrl,
    }),
  }
}
