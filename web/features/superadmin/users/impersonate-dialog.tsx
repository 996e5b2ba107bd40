import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type UseFormSetError, useForm } from 'react-hook-form'
import { v7 as uuidV7 } from 'uuid'
import { type ImpersonationMode, impersonationMinutes, startImpersonation } from '#contract/impersonations.ts'
import type { InstanceUserDetail } from '#contract/superadmin-users.ts'
import { call } from '#web/lib/api.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { beginImpersonation } from '#web/lib/begin-impersonation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'

interface Draft {
  reason: string
  mode: ImpersonationMode
  minutes: (typeof impersonationMinutes)[number]
}

const explanations: Readonly<Record<ImpersonationMode, string>> = {
  read_only: 'You see what the person sees, and can’t change anything.',
  changes: 'You can also change what the person can. The audit log names you both.',
}

/** Shows Earshot in this tab as the person sees it, for a reason that stands in the audit log. */
export function ImpersonateDialog({ user, onClose }: { user: InstanceUserDetail; onClose: () => void }) {
  const { register, handleSubmit, watch, setValue, setError, formState } = useForm<Draft>({
    defaultValues: { reason: '', mode: 'read_only', minutes: 30 },
  })
  const { mode, minutes: duration } = watch()
  const beginning = useImpersonation(user.id, setError)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Impersonate ${user.email}?`}
      description="This tab shows Earshot as the person sees it. Their organisations’ audit logs say that you were there."
    >
      <form noValidate onSubmit={handleSubmit((draft) => beginning.mutate(draft))} className="flex flex-col gap-4">
        <Field label="Reason" hint="Superadmins can read it in the audit log." error={formState.errors.reason?.message}>
          {(field) => (
            <Input
              {...field}
              {...register('reason', { validate: (value) => value.trim() !== '' || 'Enter a reason.' })}
              autoComplete="off"
              maxLength={500}
            />
          )}
        </Field>
        <Choice label="Mode">
          <Segmented
            label="Mode"
            value={mode}
            onChange={(value) => setValue('mode', value)}
            options={[
              { value: 'read_only', label: 'Read-only' },
              { value: 'changes', label: 'Allow changes' },
            ]}
          />
          <p className="text-muted text-sm">{explanations[mode]}</p>
        </Choice>
        <Choice label="Duration">
          <Segmented
            label="Duration"
            value={String(duration)}
            onChange={(value) =>
              setValue('minutes', impersonationMinutes.find((each) => String(each) === value) ?? duration)
            }
            options={impersonationMinutes.map((minutes) => ({ value: String(minutes), label: `${minutes} min` }))}
          />
        </Choice>
        <FormEnd
          action="Impersonate"
          error={formState.errors.root?.message}
          isPending={beginning.isPending || beginning.isSuccess}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

function useImpersonation(userId: string, setError: UseFormSetError<Draft>) {
  // A retry begins no second one; another wish does.
  const [ids] = useState(() => new Map<string, string>())
  return useMutation({
    mutationFn: async ({ reason, mode, minutes }: Draft) => {
      const wish = { reason: reason.trim(), mode, minutes }
      const key = JSON.stringify(wish)
      const id = ids.get(key) ?? uuidV7()
      ids.set(key, id)
      const { token } = await call(startImpersonation, { params: { accountId: userId }, body: { id, ...wish } })
      await beginImpersonation(token)
    },
    networkMode: 'always',
    // A page of its own: nothing of the superadmin stays in the page.
    onSuccess: () => window.location.assign(withBasePath('/dashboard')),
    onError: (error) => showFieldErrors(error, setError, { reason: 'reason' }),
  })
}

/** The label is for the eye: the control inside has it as its name. */
function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-1.5">
      <span aria-hidden="true" className="font-medium text-base">
        {label}
      </span>
      {children}
    </div>
  )
}
