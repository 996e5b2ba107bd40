import type { ReactNode } from 'react'
import { useOrganization } from '../lib/organization.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { AccessDeniedScreen } from './error-screens.tsx'

const tabs = [
  { to: '/dashboard/superadmin/subscriptions', label: 'Subscriptions', hasScreensBelow: true },
  { to: '/dashboard/superadmin/coupons', label: 'Coupons' },
  { to: '/dashboard/superadmin/revenue', label: 'Revenue', hasScreensBelow: true },
  { to: '/dashboard/superadmin/plans', label: 'Plans' },
]

/** The area of superadmins. The server refuses its calls to anyone else. */
export function SuperadminLayout({ children }: { children: ReactNode }) {
  const { isSuperadmin } = useOrganization()
  if (!isSuperadmin) return <AccessDeniedScreen />
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <h1 className="font-semibold text-2xl">Superadmin</h1>
      <TabLinks label="Superadmin" tabs={tabs} />
      <div className="mt-6 flex flex-1 flex-col">{children}</div>
    </div>
  )
}
