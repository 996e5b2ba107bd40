import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, regenerateApiKey } from '#contract/api-keys.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { apiKeysQuery } from './api-keys-query.ts'
import { ShownKey } from './shown-key.tsx'

const overlaps = [
  { hours: 0, label: 'Stops at once' },
  { hours: 1, label: 'Works for 1 hour' },
  { hours: 6, label: 'Works for 6 hours' },
  { hours: 24, label: 'Works for 24 hours' },
] as const

interface DialogProps {
  projectId: string
  former: ApiKey
  onClose: () => void
}

/** Replaces a key, and shows the new one once. */
export function RegenerateKeyDialog({ projectId, former, onClose }: DialogProps) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const [hours, setHours] = useState('1')
  const regenerating = useMutation({
    mutationFn: () =>
      call(regenerateApiKey, {
        params: { organizationId: organization.id, projectId, keyId: former.id },
        body: { overlapHours: Number(hours) },
      }),
    networkMode: 'always',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery(organization.id, projectId).queryKey }),
  })
  const { data: created, error, isPending } = regenerating
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={created ? 'API key created' : `Regenerate “${former.name}”`}
      description={
        created
          ? 'Copy the key now. You can’t see it again.'
          : 'You get a new key with the same access and expiry. Choose when the present one stops.'
      }
    >
      {created ? (
        <ShownKey created={created} onDone={onClose} />
      ) : (
        <div className="flex flex-col gap-4">
          <Field label="Present key" error={error?.message}>
            {(control) => (
              <Select {...control} value={hours} onChange={(event) => setHours(event.target.value)}>
                {overlaps.map(({ hours: value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Button className="self-end" loading={isPending} onClick={() => regenerating.mutate()}>
            Regenerate API key
          </Button>
        </div>
      )}
    </Dialog>
  )
}
