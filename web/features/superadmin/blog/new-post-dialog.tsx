import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { v7 as uuidV7 } from 'uuid'
import { createBlogPost } from '#contract/blog-posts.ts'
import { call } from '#web/lib/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { FormEnd } from '../form-end.tsx'
import { showFieldErrors } from '../show-field-errors.ts'

/** Creates a draft and opens it. */
export function NewPostDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  // One for the open dialog: trying again after a lost answer makes no second post.
  const [id] = useState(() => uuidV7())
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { title: '' } })
  const creating = useMutation({
    mutationFn: ({ title }: { title: string }) => call(createBlogPost, { body: { id, title } }),
    networkMode: 'always',
    onSuccess: () => navigate(`/dashboard/superadmin/blog/${id}`),
    onError: (error) => showFieldErrors(error, setError, { title: 'title' }),
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="New post">
      <form noValidate onSubmit={handleSubmit((draft) => creating.mutate(draft))} className="flex flex-col gap-4">
        <Field label="Title" hint="You can change it later." error={formState.errors.title?.message}>
          {(control) => (
            <Input
              {...control}
              {...register('title', { validate: (title) => title.trim() !== '' || 'Enter a title.' })}
              autoComplete="off"
              autoFocus
              maxLength={200}
            />
          )}
        </Field>
        <FormEnd
          action="Create draft"
          error={formState.errors.root?.message}
          isPending={creating.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
