import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type OrganizationProfile, updateOrganization } from '#contract/organizations.ts'
import { captureEvent } from '#web/lib/analytics.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { organizationProfileQuery } from '#web/lib/organization-profile-query.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FormSkeleton, SettingsForm } from '#web/ui/settings-section.tsx'
import { toast } from '#web/ui/toast.tsx'

const longestName = 100

/** Name and slug, for owners. */
export function ProfileForm() {
  const { organization } = useOrganization()
  const { data, error, refetch } = useQuery(organizationProfileQuery(organization.id))
  if (data) return <LoadedForm profile={data} />
  if (error) return <LoadFailure title="Couldn’t load the organisation" error={error} onRetry={() => void refetch()} />
  return <FormSkeleton fieldCount={2} />
}

interface Draft {
  name: string
  slug: string
}

function LoadedForm({ profile }: { profile: OrganizationProfile }) {
  const queryClient = useQueryClient()
  const { name, slug } = profile
  const { register, handleSubmit, formState, reset, setError } = useForm<Draft>({ values: { name, slug } })
  const { errors, isDirty, dirtyFields } = formState
  const saving = useMutation({
    mutationFn: (body: Partial<Draft>) => call(updateOrganization, { params: { organizationId: profile.id }, body }),
    networkMode: 'always',
    onSuccess: (saved) => {
      queryClient.setQueryData(organizationProfileQuery(profile.id).queryKey, saved)
      // The sidebar's name comes from there.
      void queryClient.invalidateQueries({ queryKey: ['current-organization'] })
      reset({ name: saved.name, slug: saved.slug })
      captureEvent('settings_updated', { setting: 'organization' })
      toast({ title: 'Organisation saved', tone: 'success' })
    },
    onError: (error) => {
      const field = error instanceof ApiError && error.findFieldMessage('slug') !== undefined ? 'slug' : 'name'
      const message = error instanceof ApiError ? error.findFieldMessage(field) : undefined
      const subject = field === 'slug' ? 'This slug' : 'The name'
      setError(
        field,
        { message: message === undefined ? error.message : `${subject} ${message}.` },
        { shouldFocus: true },
      )
    },
  })
  const submit = handleSubmit((draft) =>
    saving.mutate({
      ...(dirtyFields.name && { name: draft.name.trim() }),
      ...(dirtyFields.slug && { slug: draft.slug.trim() }),
    }),
  )
  return (
    <SettingsForm
      onSubmit={submit}
      actions={
        <Button type="submit" loading={saving.isPending} disabled={!isDirty}>
          Save changes
        </Button>
      }
    >
      <Field label="Name" error={errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            autoComplete="organization"
            {...register('name', {
              validate: (value) => value.trim() !== '' || 'Enter a name.',
              maxLength: { value: longestName, message: `At most ${longestName} characters.` },
            })}
          />
        )}
      </Field>
      <Field
        label="Slug"
        hint="Identifies the organisation in addresses. Letters are converted: Bar & Söhne becomes bar-soehne."
        error={errors.slug?.message}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...register('slug', {
              validate: (value) => value.trim() !== '' || 'Enter a slug.',
              maxLength: { value: longestName, message: `At most ${longestName} characters.` },
            })}
          />
        )}
      </Field>
    </SettingsForm>
  )
}

/** Name, slug and logo, for those who may not change them. */
export function ProfileFacts() {
  const { organization } = useOrganization()
  const { data } = useQuery(organizationProfileQuery(organization.id))
  return (
    <div className="flex min-w-0 items-center gap-4 p-5">
      <Avatar square name={organization.name} src={data?.logoUrl ?? undefined} className="size-12 text-lg" />
      <div className="min-w-0">
        <p className="font-medium text-base [overflow-wrap:anywhere]">
          <bdi>{organization.name}</bdi>
        </p>
        <p className="text-base text-muted [overflow-wrap:anywhere]">{organization.slug}</p>
      </div>
    </div>
  )
}
