import { ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useOrganization } from '#web/lib/organization.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { OrganizationMark } from './organization-mark.tsx'
import { OrganizationMenuSkeleton } from './organization-menu-skeleton.tsx'

// Few open it: it comes when asked for.
const OrganizationMenu = lazy(() => import('./organization-menu.tsx'))

/**
 * The organisation that is shown; pressed, it lists the person's others.
 *
 * @param container the sidebar, so that the list belongs to the open drawer.
 */
export function OrganizationSwitcher({ container }: { container: HTMLElement | null }) {
  const { organization } = useOrganization()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label="Organisations"
      open={isOpen}
      onOpenChange={setOpen}
      container={container}
      trigger={
        <button
          type="button"
          className="flex h-10 min-w-0 flex-1 items-center gap-2.5 rounded-md px-2 text-left transition-colors hover:bg-hover data-[state=open]:bg-hover"
        >
          <OrganizationMark />
          <span
            className="line-clamp-2 min-w-0 flex-1 break-words font-semibold text-base text-foreground leading-4.5"
            title={organization.name}
          >
            {organization.name}
          </span>
          <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
          <span className="sr-only">Switch organisation</span>
        </button>
      }
    >
      <Suspense fallback={<OrganizationMenuSkeleton />}>
        <OrganizationMenu onClose={() => setOpen(false)} />
      </Suspense>
    </Popover>
  )
}
