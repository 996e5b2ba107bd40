import { useQuery } from '@tanstack/react-query'
import { KeyRound, Lock, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { ApiKey } from '#contract/api-keys.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { useConfig } from '#web/lib/config.tsx'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ApiKeyList } from './api-key-list.tsx'
import { apiKeysQuery } from './api-keys-query.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { RegenerateKeyDialog } from './regenerate-key-dialog.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

/** A tab of a project: the keys with which programs call its API. Other members see who has the right to manage them. */
export function ApiKeysScreen() {
  const { projectId = '' } = useParams()
  const { can } = useOrganization()
  return can('manage_integrations') ? <Keys projectId={projectId} /> : <OwnersOnly projectId={projectId} />
}

/** The open dialog, and the key that it is about. */
type Open = { name: 'new' } | { name: 'regenerate' | 'revoke'; key: ApiKey }

function Keys({ projectId }: { projectId: string }) {
  const { organization } = useOrganization()
  const { data: keys, error, refetch } = useQuery(apiKeysQuery(organization.id, projectId))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = (
    <Button onClick={() => setOpen({ name: 'new' })}>
      <Plus aria-hidden="true" />
      New API key
    </Button>
  )
  return (
    <div className="flex w-full max-w-3xl flex-col gap-6">
      <Card>
        <CardHeader className="flex-row flex-wrap items-start justify-between gap-3">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <CardTitle>API keys</CardTitle>
            <CardDescription>Programs use a key to read and change this project’s feedback.</CardDescription>
          </div>
          {keys && keys.length > 0 && add}
        </CardHeader>
        <CardContent>
          {error && !keys ? (
            <LoadFailure title="Couldn’t load the API keys" error={error} onRetry={() => refetch()} />
          ) : !keys ? (
            <Skeleton className="h-40" />
          ) : keys.length === 0 ? (
            <EmptyState icon={<KeyRound />} title="No API keys yet" action={add} className="py-8">
              A key reaches this project and no other.
            </EmptyState>
          ) : (
            <ApiKeyList
              keys={keys}
              onRegenerate={(key) => setOpen({ name: 'regenerate', key })}
              onRevoke={(key) => setOpen({ name: 'revoke', key })}
            />
          )}
        </CardContent>
      </Card>
      <FirstCall />
      {open?.name === 'new' && <NewKeyDialog projectId={projectId} onClose={close} />}
      {open?.name === 'regenerate' && <RegenerateKeyDialog projectId={projectId} former={open.key} onClose={close} />}
      {open?.name === 'revoke' && <RevokeKeyDialog projectId={projectId} revoked={open.key} onClose={close} />}
    </div>
  )
}

function FirstCall() {
  const { appUrl = window.location.origin } = useConfig()
  return (
    <Card>
      <CardHeader>
        <CardTitle>Your first call</CardTitle>
        <CardDescription>List the newest feedback of this project.</CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col items-start gap-3">
        <CodeBlock
          label="First call"
          className="w-full"
          code={`curl ${appUrl}/api/v1/feedback \\\n  --header "Authorization: Bearer $EARSHOT_API_KEY"`}
        />
        <Button asChild variant="link" className="whitespace-normal text-left">
          <a href={withBasePath('/api/docs')}>API reference</a>
        </Button>
      </CardContent>
    </Card>
  )
}

function OwnersOnly({ projectId }: { projectId: string }) {
  return (
    <EmptyState
      icon={<Lock />}
      title="Only owners can manage API keys"
      action={
        <Button asChild variant="secondary">
          <Link to={`/dashboard/projects/${projectId}`}>Back to the project</Link>
        </Button>
      }
    >
      Ask an owner of your organisation to create a key.
    </EmptyState>
  )
}
