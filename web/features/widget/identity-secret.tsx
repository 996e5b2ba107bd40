import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { rotateIdentitySecret } from '#contract/widget-config.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { identitySecretQuery } from './widget-queries.ts'

/** The secret with which a site signs visitor ids: shown on demand, and rotated. */
export function IdentitySecret({ organizationId, projectId }: { organizationId: string; projectId: string }) {
  const queryClient = useQueryClient()
  const [isShown, setShown] = useState(false)
  const [isSure, setSure] = useState(false)
  const query = identitySecretQuery(organizationId, projectId)
  const secret = useQuery({ ...query, enabled: isShown })
  const rotating = useMutation({
    mutationFn: () => call(rotateIdentitySecret, { params: { organizationId, projectId }, body: {} }),
    onSuccess: (next) => {
      queryClient.setQueryData(query.queryKey, next)
      setSure(false)
      toast({ title: 'Secret rotated', description: 'Ids signed with the old one no longer count as verified.' })
    },
    onError: (error) => toast({ title: 'Secret not rotated', error, tone: 'danger' }),
  })
  return (
    <section aria-label="Verified visitors" className="flex flex-col gap-2 border-border border-t pt-5">
      <h2 className="font-medium text-base">Verified visitors</h2>
      <p className="text-muted text-sm">
        Sign the id of a signed-in visitor with HMAC-SHA256 on your server, and give both to{' '}
        <code className="font-mono">{"earshot('identify', { id }, { hash })"}</code>. They then find what they sent on
        every device, and you know that it was them.
      </p>
      {isShown && secret.data ? (
        <>
          <div className="flex items-center gap-2">
            <code className="min-w-0 flex-1 truncate rounded-md bg-sunken px-3 py-2 font-mono text-sm">
              {secret.data.secret}
            </code>
            <CopyButton text={secret.data.secret} label="Copy secret" iconOnly variant="secondary" />
          </div>
          {isSure ? (
            <div className="flex flex-wrap items-center gap-2">
              <p className="flex-1 text-sm">Your server must then use the new secret.</p>
              <Button variant="ghost" size="sm" onClick={() => setSure(false)}>
                Keep it
              </Button>
              <Button variant="danger" size="sm" loading={rotating.isPending} onClick={() => rotating.mutate()}>
                Rotate secret
              </Button>
            </div>
          ) : (
            <Button variant="ghost" size="sm" className="self-start" onClick={() => setSure(true)}>
              <RotateCw aria-hidden="true" />
              Rotate secret…
            </Button>
          )}
        </>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          className="self-start"
          loading={isShown && secret.isFetching}
          onClick={() => {
            setShown(true)
            if (secret.isError) void secret.refetch()
          }}
        >
          <Eye aria-hidden="true" />
          Show secret
        </Button>
      )}
      {isShown && secret.error && (
        <p role="alert" className="text-danger-text text-sm">
          {secret.error.message}
        </p>
      )}
    </section>
  )
}
