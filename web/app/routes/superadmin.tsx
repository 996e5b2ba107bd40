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

/** The screen of an area, or of something in it. */
function findScreen(area: string, id: string): Screen | undefined {
  const path = id === '' ? area : `${area}/${id}`
  const key = [path, `${area}/:id`].find((each) => Object.hasOwn(screens, each) && (id !== '' || each === path))
  return key === undefined ? undefined : screens[key]
}

/** The superadmins' screens, each loaded when it is opened. */
export default function SuperadminRoute() {
  const { area = '', id = '' } = useParams()
  if (area === '') return <Navigate to="/dashboard/superadmin/subscriptions" replace />
  const screen = findScreen(area, id)
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
