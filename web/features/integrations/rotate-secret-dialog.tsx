import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Integration, rotateIntegrationSecret } from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { ShownSecret } from '#web/ui/shown-secret.tsx'

const overlaps = [
  { hours: 0, label: 'Stops at once' },
  { hours: 1, label: 'Signs for 1 hour' },
  { hours: 6, label: 'Signs for 6 hours' },
  { hours: 24, label: 'Signs for 24 hours' },
] as const

/** Replaces the signing secret, and shows the new one once. */
export function RotateSecretDialog({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const { organization } = useOrganization()
  const [hours, setHours] = useState('24')
  const rotating = useMutation({
    mutationFn: () =>
      call(rotateIntegrationSecret, {
        params: { organizationId: organization.id, integrationId: integration.id },
        body: { overlapHours: Number(hours) },
      }),
    networkMode: 'always',
  })
  const { data, error, isPending } = rotating
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={data ? 'Signing secret replaced' : 'Replace signing secret'}
      description={
        data
          ? 'Copy the secret now. You can’t see it again.'
          : 'Until the present secret stops, each delivery is signed with both.'
      }
    >
      {data ? (
        <ShownSecret secret={data.secret} label="Signing secret" onDone={onClose}>
          Store it where your receiver verifies deliveries.
        </ShownSecret>
      ) : (
        <div className="flex flex-col gap-4">
          <Field label="Present secret" error={error?.message}>
            {(control) => (
              <Select {...control} value={hours} onChange={({ currentTarget }) => setHours(currentTarget.value)}>
                {overlaps.map(({ hours: value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Button className="self-end" loading={isPending} onClick={() => rotating.mutate()}>
            Replace secret
          </Button>
        </div>
      )}
    </Dialog>
  )
}
