import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { createApiKey } from '#contract/api-keys.ts'
import type { KeyScope } from '#contract/key-scope.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { apiKeysQuery } from './api-keys-query.ts'
import { describeScopes } from './describe-scopes.ts'
import { ShownKey } from './shown-key.tsx'

const dayMs = 86_400_000

const accesses: Record<string, readonly KeyScope[]> = {
  both: ['read', 'write'],
  read: ['read'],
  write: ['write'],
}
const lifetimes = [
  { days: 0, label: 'Never' },
  { days: 30, label: 'In 30 days' },
  { days: 90, label: 'In 90 days' },
  { days: 365, label: 'In a year' },
] as const

interface KeyDraft {
  name: string
  access: string
  /** Days, as the select holds them. */
  lifetime: string
}

/** Creates an API key, and shows it once. */
export function NewKeyDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm<KeyDraft>({
    defaultValues: { name: '', access: 'both', lifetime: '0' },
  })
  const creating = useMutation({
    mutationFn: ({ name, access, lifetime }: KeyDraft) =>
      call(createApiKey, {
        params: { organizationId: organization.id, projectId },
        body: {
          name,
          scopes: [...(accesses[access] ?? [])],
          ...(lifetime !== '0' && { expiresAt: new Date(Date.now() + Number(lifetime) * dayMs).toISOString() }),
        },
      }),
    networkMode: 'always',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery(organization.id, projectId).queryKey }),
    onError: (error) => {
      const message = error instanceof ApiError ? error.findFieldMessage('name') : undefined
      setError('name', { message: message === undefined ? error.message : `The name ${message}.` })
    },
  })
  const isCreated = creating.data !== undefined
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isCreated ? 'API key created' : 'New API key'}
      description={isCreated ? 'Copy the key now. You can’t see it again.' : undefined}
    >
      {creating.data ? (
        <ShownKey created={creating.data} onDone={onClose} />
      ) : (
        <form noValidate onSubmit={handleSubmit((draft) => creating.mutate(draft))} className="flex flex-col gap-4">
          <Field
            label="Name"
            hint="What uses the key, for example a nightly import."
            error={formState.errors.name?.message}
          >
            {(control) => (
              <Input
                {...control}
                {...register('name', { validate: (value) => value.trim() !== '' || 'Enter a name.' })}
                autoComplete="off"
                autoFocus
                maxLength={100}
              />
            )}
          </Field>
          <Field label="Access">
            {(control) => (
              <Select {...control} {...register('access')}>
                {Object.entries(accesses).map(([name, scopes]) => (
                  <option key={name} value={name}>
                    {describeScopes(scopes)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Expires">
            {(control) => (
              <Select {...control} {...register('lifetime')}>
                {lifetimes.map(({ days, label }) => (
                  <option key={days} value={days}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Button type="submit" className="self-end" loading={creating.isPending}>
            Create API key
          </Button>
        </form>
      )}
    </Dialog>
  )
}
