import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { v7 as uuidV7 } from 'uuid'
import { createOrganization } from '#contract/own-organizations.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { switchOrganization } from '#web/lib/selected-organization.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

/** Creates another organisation and opens it. */
export default function NewOrganization({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Create an organisation"
      description="It has its own projects, members and plan. You become its owner."
    >
      <NewOrganizationForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  )
}

function NewOrganizationForm({ onCancel }: { onCancel: () => void }) {
  // The same id for every try: pressing twice creates one.
  const [id] = useState(() => uuidV7())
  const { register, handleSubmit, setError, formState } = useForm<{ name: string }>()
  const creation = useMutation({
    mutationFn: ({ name }: { name: string }) => call(createOrganization, { body: { id, name } }),
    networkMode: 'always',
    onSuccess: (organization) => switchOrganization(organization.id, '/dashboard'),
    onError: (error) => {
      const message = error instanceof ApiError ? error.findFieldMessage('name') : undefined
      setError('name', { message: message === undefined ? error.message : `The name ${message}.` })
    },
  })
  return (
    <form noValidate onSubmit={handleSubmit((draft) => creation.mutate(draft))} className="flex flex-col gap-5">
      <Field label="Organisation name" error={formState.errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            autoComplete="organization"
            maxLength={100}
            {...register('name', { validate: (name = '') => name.trim() !== '' || 'Please enter a name' })}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={creation.isPending || creation.isSuccess}>
          Create organisation
        </Button>
      </div>
    </form>
  )
}
