import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type UseFormSetError, useForm } from 'react-hook-form'
import { type FigureName, monitoredFigures } from '#contract/monitored-figures.ts'
import { changeThreshold, resetThreshold, type Threshold } from '#contract/superadmin-monitoring.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { monitoringQuery, thresholdsQuery } from './monitoring-queries.ts'
import { checkMinutes, hintUnit, readLimit, writeLimit } from './threshold-units.ts'

interface Draft {
  limit: string
  minutes: string
}

/** Changes the threshold of a figure, or resets it. */
export function ThresholdDialog({
  threshold,
  onClose,
}: {
  threshold: Threshold & { figure: FigureName }
  onClose: () => void
}) {
  const { figure, limit, minutes, isDefault } = threshold
  const { label, alertsWhen } = monitoredFigures[figure]
  const [isEnabled, setEnabled] = useState(threshold.isEnabled)
  const { register, handleSubmit, setError, formState } = useForm<Draft>({
    defaultValues: { limit: writeLimit(figure, limit), minutes: String(minutes) },
  })
  const { saving, resetting } = useThresholdActs(threshold, setError, onClose)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Threshold: ${label}`}>
      <form
        noValidate
        onSubmit={handleSubmit((draft) => saving.mutate({ ...draft, isEnabled }))}
        className="flex flex-col gap-4"
      >
        <SwitchRow label="Send alerts" checked={isEnabled} onChange={setEnabled} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={alertsWhen === 'above' ? 'Alert above' : 'Alert below'}
            hint={hintUnit(figure)}
            error={formState.errors.limit?.message}
          >
            {(control) => (
              <Input
                {...control}
                {...register('limit', {
                  validate: (typed) => readLimit(figure, typed) !== undefined || 'Enter a number, for example 10.',
                })}
                inputMode="decimal"
                autoComplete="off"
              />
            )}
          </Field>
          <Field label="Minutes" hint="In a row." error={formState.errors.minutes?.message}>
            {(control) => (
              <Input
                {...control}
                {...register('minutes', { validate: checkMinutes })}
                inputMode="numeric"
                autoComplete="off"
              />
            )}
          </Field>
        </div>
        {!isDefault && (
          <Button
            variant="ghost"
            className="self-start"
            loading={resetting.isPending}
            onClick={() => resetting.mutate()}
          >
            Reset to default
          </Button>
        )}
        <FormEnd
          action="Save threshold"
          error={formState.errors.root?.message}
          isPending={saving.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

/** Saves and resets a threshold, and shows the list as it then is. */
function useThresholdActs(
  { figure, limit }: Threshold & { figure: FigureName },
  setError: UseFormSetError<Draft>,
  onClose: () => void,
) {
  const queryClient = useQueryClient()
  const follow = (title: string) => async () => {
    toast({ title })
    onClose()
    await queryClient.invalidateQueries({ queryKey: thresholdsQuery.queryKey })
    await queryClient.invalidateQueries({ queryKey: monitoringQuery.queryKey })
  }
  const saving = useMutation({
    mutationFn: ({ isEnabled, ...draft }: Draft & { isEnabled: boolean }) =>
      call(changeThreshold, {
        params: { figure },
        body: { limit: readLimit(figure, draft.limit) ?? limit, minutes: Number(draft.minutes), isEnabled },
      }),
    networkMode: 'always',
    retry: false,
    onSuccess: follow('Threshold saved'),
    onError: (error) => showFieldErrors(error, setError, { limit: 'limit', minutes: 'minutes' }),
  })
  const resetting = useMutation({
    mutationFn: () => call(resetThreshold, { params: { figure } }),
    networkMode: 'always',
    retry: false,
    onSuccess: follow('Threshold reset'),
    onError: (error) => setError('root', { message: error.message }),
  })
  return { saving, resetting }
}
