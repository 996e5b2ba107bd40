import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { ownOrganizationsQuery } from '#web/lib/own-organizations-query.ts'
import { switchOrganization } from '#web/lib/selected-organization.ts'
import { roleNames } from '#web/shared/role-words.ts'
import { Avatar } from '#web/ui/avatar.tsx'

/** The person's organisations as buttons, where there is no dashboard with a switcher. Nothing without any. */
export function OtherOrganizations({ exceptId }: { exceptId?: string }) {
  const { data } = useQuery(ownOrganizationsQuery())
  const others = data?.items.filter(({ id }) => id !== exceptId) ?? []
  if (others.length === 0) return null
  return (
    <section aria-label="Your organisations" className="flex w-full max-w-md flex-col gap-2">
      <h2 className="font-medium text-base">
        {exceptId === undefined ? 'Your organisations' : 'Your other organisations'}
      </h2>
      <ul className="max-h-80 divide-y divide-border overflow-y-auto rounded-lg border border-border bg-surface">
        {others.map(({ id, name, role, deleteAfter, suspendedAt }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => switchOrganization(id, '/dashboard')}
              className="flex min-h-11 w-full items-center gap-3 px-3 py-2 text-left text-base hover:bg-hover"
            >
              <Avatar square name={name} className="size-6" />
              <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
              <span className="text-muted text-sm">
                {deleteAfter !== null ? 'Closed' : suspendedAt !== null ? 'Suspended' : roleNames[role]}
              </span>
              <ChevronRight aria-hidden="true" className="size-4 text-muted" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
