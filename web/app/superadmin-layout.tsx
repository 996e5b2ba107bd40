import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useOrganization } from '../lib/organization.tsx'
import { cn } from '../ui/class-names.ts'
import { TabLinks } from '../ui/tab-links.tsx'
import { AccessDeniedScreen } from './error-screens.tsx'
import { areaGroups } from './superadmin-screens.ts'

const home = '/dashboard/superadmin'
const linkTo = (path: string) => (path === '' ? home : `${home}/${path}`)
const tabs = areaGroups.flatMap(({ areas }) => areas).map((area) => ({ ...area, to: linkTo(area.path) }))

/** The area of superadmins. The server refuses its calls to anyone else. */
export function SuperadminLayout({ children }: { children: ReactNode }) {
  const { isSuperadmin } = useOrganization()
  if (!isSuperadmin) return <AccessDeniedScreen />
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <h1 className="font-semibold text-2xl">Superadmin</h1>
      <div className="xl:hidden">
        <TabLinks label="Superadmin" tabs={tabs} />
      </div>
      <div className="mt-6 flex flex-1 gap-8">
        <AreaMenu />
        <div className="flex min-w-0 flex-1 flex-col">{children}</div>
      </div>
    </div>
  )
}

/** The area's menu beside its screens, where there is room for it; tabs above them where there is none. */
function AreaMenu() {
  return (
    <nav aria-label="Superadmin" className="w-40 shrink-0 max-xl:hidden">
      <ul className="sticky top-8 flex flex-col gap-5">
        {areaGroups.map((group) => (
          <li key={group.label}>
            {group.areas.length > 1 && <p className="px-2 pb-1 text-muted text-sm">{group.label}</p>}
            <ul>
              {group.areas.map((area) => (
                <li key={area.path}>
                  <NavLink
                    to={linkTo(area.path)}
                    end={!area.hasScreensBelow}
                    className={({ isActive }) =>
                      cn(
                        'flex h-8 items-center rounded-md px-2 font-medium text-base',
                        isActive ? 'bg-hover text-foreground' : 'text-muted hover:text-foreground',
                      )
                    }
                  >
                    {area.label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  )
}
