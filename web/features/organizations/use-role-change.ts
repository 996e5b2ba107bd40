import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeMemberRole, type Member } from '#contract/members.ts'
import type { Role } from '#contract/permissions.ts'
import { call } from '#web/lib/api.ts'
import { membersQuery } from '#web/lib/members-query.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { roleNames } from '#web/shared/role-words.ts'
import { toast } from '#web/ui/toast.tsx'

/** Reads again who is a member, and what oneself may do. */
export async function readMembersAgain(queryClient: QueryClient, organizationId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: membersQuery(organizationId).queryKey }),
    queryClient.invalidateQueries({ queryKey: ['current-organization'] }),
  ])
}

/** Gives a member another role; a toast offers to undo it. */
export function useRoleChange() {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const params = ({ userId }: Member) => ({ organizationId: organization.id, userId })
  return useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Role }) =>
      call(changeMemberRole, { params: params(member), body: { role } }),
    networkMode: 'always',
    onSuccess: async (_changed, { member, role }) => {
      await readMembersAgain(queryClient, organization.id)
      const undo = async () => {
        await call(changeMemberRole, { params: params(member), body: { role: member.role } }).catch(showFailure)
        await readMembersAgain(queryClient, organization.id)
      }
      toast({
        title: 'Role changed',
        description: `${member.name}: ${roleNames[role]}`,
        tone: 'success',
        action: { label: 'Undo', onPress: () => void undo() },
      })
    },
    onError: (error) => {
      showFailure(error)
      void readMembersAgain(queryClient, organization.id)
    },
  })
}

function showFailure(error: Error): void {
  toast({ title: 'Couldn’t change the role', error, tone: 'danger' })
}
