import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { deleteOrganization, getOrganizationContents, organizationGraceDays } from '#contract/organization-deletion.ts'
import { call } from '#web/lib/api.ts'
import type { IdentityFormProps } from '#web/lib/identity-form.ts'
import type { Organization } from '#web/lib/organization.tsx'
import { formatBytes } from '#web/shared/format-bytes.ts'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'

/** Names what is lost, and asks for the organisation's name and a proof of identity. */
export default function DeleteOrganizationForm({
  organization,
  IdentityForm,
  onDeleted,
  onCancel,
}: {
  organization: Organization
  IdentityForm: ComponentType<IdentityFormProps>
  onDeleted: () => Promise<void>
  onCancel: () => void
}) {
  const params = { organizationId: organization.id }
  // Without the counts, the same is named without them.
  const { data } = useQuery({
    queryKey: ['organization-contents', organization.id],
    queryFn: ({ signal }) => call(getOrganizationContents, { params, signal }),
    staleTime: 0,
  })
  const losses = [
    data ? formatQuantity(data.projects, 'project') : 'all projects',
    `${data ? formatItems(data.items) : 'all items'} of feedback, with notes and replies`,
    data ? `${formatQuantity(data.files, 'file', data.limit)} (${formatBytes(data.fileBytes)})` : 'all files',
    `access for ${data ? formatQuantity(data.members, 'member') : 'all members'}`,
  ]
  return (
    <div className="flex flex-col gap-5">
      <div className="rounded-md bg-danger-soft px-4 py-3 text-base text-danger-text">
        <p className="font-medium">Closed now, permanently deleted in {organizationGraceDays} days:</p>
        <ul className="mt-1 list-disc pl-5">
          {losses.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      </div>
      <IdentityForm
        label="Organisation name"
        prompt={
          <>
            To continue, type{' '}
            <bdi className="select-all font-semibold [overflow-wrap:anywhere]" dir="auto">
              {organization.name}
            </bdi>
          </>
        }
        checkTyped={(typed) =>
          typed.trim() === organization.name.trim() || 'This doesn’t match the organisation’s name.'
        }
        action="Delete organisation"
        onProven={async (token, name) => {
          await call(deleteOrganization, { params, body: { name: name.trim() }, token })
          await onDeleted()
        }}
        onCancel={onCancel}
      />
    </div>
  )
}
