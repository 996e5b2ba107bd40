import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { addSuppression } from '#contract/email-suppressions.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'
import { suppressionsKey } from './suppression-queries.ts'

/** Suppresses an address by hand. */
export function AddSuppressionDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { address: '' } })
  const adding = useMutation({
    mutationFn: ({ address }: { address: string }) => call(addSuppression, { body: { address: address.trim() } }),
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: 'Address suppressed' })
      onClose()
      return queryClient.invalidateQueries({ queryKey: suppressionsKey })
    },
    onError: (error) => showFieldErrors(error, setError, { address: 'address' }),
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Suppress an address">
      <form noValidate onSubmit={handleSubmit((draft) => adding.mutate(draft))} className="flex flex-col gap-4">
        <Field
          label="Email"
          hint="Emails about the security of an account are still sent."
          error={formState.errors.address?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...register('address', { required: 'Enter an email address.' })}
              type="email"
              autoComplete="off"
              autoFocus
              maxLength={254}
            />
          )}
        </Field>
        <FormEnd
          action="Suppress address"
          error={formState.errors.root?.message}
          isPending={adding.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
