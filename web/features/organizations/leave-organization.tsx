import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { leaveOrganization } from '#contract/members.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Ends one's own membership, after a question. */
export function LeaveOrganization() {
  const { organization } = useOrganization()
  const [isOpen, setOpen] = useState(false)
  const leaving = useMutation({
    mutationFn: () =>
      call(leaveOrganization, { params: { organizationId: organization.id } }).catch((error: unknown) => {
        // The answer to an earlier attempt was lost: the membership has ended.
        if (!(error instanceof ApiError && error.code === 'organization_not_found')) throw error
      }),
    networkMode: 'always',
    // A full load: nothing of the organisation stays behind.
    onSuccess: () => window.location.assign(withBasePath('/dashboard')),
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 p-5">
      <p className="max-w-prose flex-1 basis-72 text-base">
        You lose access immediately. Your notes and replies stay. To return, you need a new invitation.
      </p>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Leave organisation
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={(open) => {
          setOpen(open)
          leaving.reset()
        }}
        title={
          <>
            Leave <bdi>{organization.name}</bdi>?
          </>
        }
        action="Leave organisation"
        isDangerous
        isPending={leaving.isPending || leaving.isSuccess}
        error={leaving.error}
        onConfirm={() => leaving.mutate()}
      >
        <p>You lose access to its projects and feedback immediately. Items assigned to you become unassigned.</p>
      </ConfirmDialog>
    </div>
  )
}
