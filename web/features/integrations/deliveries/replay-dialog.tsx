import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { replayDeliveries } from '#contract/deliveries.ts'
import type { Integration } from '#contract/integrations.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatQuantity } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { integrationsKey } from '../integrations-query.ts'

const hourMs = 3600_000
const periods = [
  { hours: 1, label: 'The last hour' },
  { hours: 24, label: 'The last 24 hours' },
  { hours: 168, label: 'The last 7 days' },
  { hours: 720, label: 'The last 30 days' },
] as const
const custom = 'custom'

/** Delivers earlier events that have not arrived. */
export function ReplayDialog({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const [period, setPeriod] = useState('24')
  const [time, setTime] = useState('')
  const since = period === custom ? new Date(time) : new Date(Date.now() - Number(period) * hourMs)
  const isKnown = !Number.isNaN(since.getTime())
  const replaying = useMutation({
    mutationFn: () =>
      call(replayDeliveries, {
        params: { organizationId: organization.id, integrationId: integration.id },
        body: { since: since.toISOString() },
      }),
    networkMode: 'always',
    onSuccess: async ({ queued }) => {
      await queryClient.invalidateQueries({ queryKey: integrationsKey(organization.id) })
      toast(
        queued === 0
          ? { title: 'Nothing to replay', description: 'All events since then have been delivered.' }
          : { title: `${formatQuantity(queued, 'event')} queued`, tone: 'success' },
      )
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Replay events"
      description="Delivers events that have not arrived, oldest first. Delivered events are not sent again."
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isKnown) replaying.mutate()
        }}
      >
        <Field label="Events of" error={period === custom ? undefined : replaying.error?.message}>
          {(control) => (
            <Select {...control} value={period} onChange={({ currentTarget }) => setPeriod(currentTarget.value)}>
              {periods.map(({ hours, label }) => (
                <option key={hours} value={hours}>
                  {label}
                </option>
              ))}
              <option value={custom}>Since a time</option>
            </Select>
          )}
        </Field>
        {period === custom && (
          <Field label="Since" hint="At most 30 days ago, in this device’s time zone." error={replaying.error?.message}>
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                value={time}
                onChange={({ currentTarget }) => setTime(currentTarget.value)}
              />
            )}
          </Field>
        )}
        <Button type="submit" className="self-end" disabled={!isKnown} loading={replaying.isPending}>
          Replay events
        </Button>
      </form>
    </Dialog>
  )
}
