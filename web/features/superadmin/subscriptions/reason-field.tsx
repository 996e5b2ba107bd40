import type { FieldValues, Path, UseFormRegister } from 'react-hook-form'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

/** Why a superadmin acts: for the audit log. */
export function ReasonField<Draft extends FieldValues & { reason: string }>({
  register,
  error,
}: {
  register: UseFormRegister<Draft>
  error: string | undefined
}) {
  return (
    <Field label="Reason" hint="Owners of the organisation can read it in their audit log." error={error}>
      {(control) => (
        <Input
          {...control}
          // Every draft here has this field.
          {...register('reason' as Path<Draft>, { validate: (value) => value.trim() !== '' || 'Enter a reason.' })}
          autoComplete="off"
          maxLength={500}
        />
      )}
    </Field>
  )
}
