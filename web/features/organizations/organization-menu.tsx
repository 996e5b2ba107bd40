import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { OwnOrganization } from '#contract/own-organizations.ts'
import { openWindow } from '#web/lib/commands.ts'
import { type Organization, useOrganization } from '#web/lib/organization.tsx'
import { ownOrganizationsQuery } from '#web/lib/own-organizations-query.ts'
import { switchOrganization } from '#web/lib/selected-organization.ts'
import { roleNames } from '#web/shared/role-words.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { CommandList, type CommandOption } from '#web/ui/command-list.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { OrganizationMenuSkeleton } from './organization-menu-skeleton.tsx'

const createId = 'create'

/** The person's organisations, to be searched and switched to, and the way to another one. */
export default function OrganizationMenu({ onClose }: { onClose: () => void }) {
  const { organization } = useOrganization()
  const [query, setQuery] = useState('')
  const words = useDeferredValue(query.trim())
  const { data, error, isPending, refetch } = useQuery(ownOrganizationsQuery(words))
  if (isPending) return <OrganizationMenuSkeleton />
  if (error && !data) {
    return <LoadFailure title="Couldn’t load your organisations" error={error} onRetry={() => refetch()} />
  }
  const create: CommandOption = {
    id: createId,
    label: 'Create organisation',
    icon: <Plus aria-hidden="true" className="mx-0.5" />,
  }
  const choose = (id: string) => {
    onClose()
    if (id === organization.id) return
    if (id !== createId) return void switchOrganization(id)
    // First the list gives the focus back, then the window takes it.
    setTimeout(() => openWindow('new-organization'))
  }
  return (
    <>
      <CommandList
        label="Find an organisation"
        placeholder="Find an organisation…"
        query={query}
        onQueryChange={setQuery}
        options={[...listFirst(data.items, organization, words === '').map(toOption), create]}
        value={organization.id}
        onChoose={({ id }) => choose(id)}
        maxQueryLength={100}
      />
      {data.nextCursor !== null && (
        <p className="shrink-0 border-border border-t px-3 py-2 text-muted text-sm">
          The first {data.items.length} are shown. Type to find others.
        </p>
      )}
    </>
  )
}

/** With the current one first, also if it is on another page of the list. */
function listFirst(
  items: readonly OwnOrganization[],
  { id, name, slug, role }: Organization,
  isAll: boolean,
): readonly OwnOrganization[] {
  if (!isAll) return items
  return [{ id, name, slug, role, deleteAfter: null, suspendedAt: null }, ...items.filter((item) => item.id !== id)]
}

function toOption({ id, name, role, deleteAfter }: OwnOrganization): CommandOption {
  return {
    id,
    label: name,
    group: 'Organisations',
    icon: <Avatar square name={name} className="size-5 text-[0.625rem]" />,
    aside: deleteAfter === null ? roleNames[role] : 'Closed',
  }
}
