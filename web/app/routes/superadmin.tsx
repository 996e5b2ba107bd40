import { type ComponentType, lazy, Suspense } from 'react'
import { Navigate, useParams } from 'react-router'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { NotFoundScreen } from '../error-screens.tsx'
import { SuperadminLayout } from '../superadmin-layout.tsx'

interface Screen {
  readonly title: string
  readonly Content: ComponentType<{ id: string }>
}

/** By the part of the address behind the area's own. `:id` stands for an id. */
const screens: Readonly<Record<string, Screen>> = {
  subscriptions: {
    title: 'Subscriptions',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/subscriptions/subscribers-screen.tsx')).SubscribersScreen,
    })),
  },
  'subscriptions/:id': {
    title: 'Subscription',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/subscriptions/subscriber-screen.tsx')).SubscriberScreen,
    })),
  },
  coupons: {
    title: 'Coupons',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/coupons/coupons-screen.tsx')).CouponsScreen,
    })),
  },
  revenue: {
    title: 'Revenue',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/revenue/revenue-screen.tsx')).RevenueScreen,
    })),
  },
  'revenue/organizations': {
    title: 'Revenue',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/revenue/revenue-parts-screen.tsx')).RevenuePartsScreen,
    })),
  },
  plans: {
    title: 'Plans',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/plans/plans-screen.tsx')).PlansScreen,
    })),
  },
}

/** The superadmins' screens, each loaded when it is opened. */
export default function SuperadminRoute() {
  const path = (useParams()['*'] ?? '').replace(/\/$/, '')
  if (path === '') return <Navigate to="/dashboard/superadmin/subscriptions" replace />
  const [area = '', id = ''] = path.split('/')
  const screen = screens[path] ?? (path === `${area}/${id}` ? screens[`${area}/:id`] : undefined)
  if (!screen) return <NotFoundScreen />
  const { title, Content } = screen
  return (
    <SuperadminLayout>
      <title>{`${title} · Earshot`}</title>
      <Suspense fallback={<Skeleton className="h-64" />}>
        <Content id={id} />
      </Suspense>
    </SuperadminLayout>
  )
}
