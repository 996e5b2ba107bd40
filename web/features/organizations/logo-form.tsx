import { useQuery, useQueryClient } from '@tanstack/react-query'
import { removeLogo, setLogo } from '#contract/organizations.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { organizationProfileQuery } from '#web/lib/organization-profile-query.ts'
import { pictureTypes } from '#web/lib/square-picture.ts'
import { usePictureChanges } from '#web/shared/use-picture-changes.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { PictureField } from '#web/ui/picture-field.tsx'

/** The logo of the organisation, for owners. */
export function LogoForm() {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const profile = organizationProfileQuery(organization.id)
  const { data } = useQuery(profile)
  const params = { organizationId: organization.id }
  const { change, removal, problem } = usePictureChanges({
    name: 'logo',
    set: async (body) => (await call(setLogo, { params, body })).logoUrl,
    remove: () => call(removeLogo, { params }),
    show: (logoUrl) => queryClient.setQueryData(profile.queryKey, (before) => before && { ...before, logoUrl }),
  })
  const src = data?.logoUrl ?? undefined
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-4 border-border border-b p-5">
      <PictureField
        preview={<Avatar square name={organization.name} src={src} className="size-16 text-xl" />}
        noun="logo"
        accept={pictureTypes}
        hasPicture={src !== undefined}
        isUploading={change.isPending}
        isRemoving={removal.isPending}
        onSelect={change.mutate}
        onRemove={() => removal.mutate()}
        hint="PNG, JPEG or WebP. We’ll crop it to a square."
        problem={problem}
      />
    </div>
  )
}
