import { type ComponentType, lazy, Suspense } from 'react'
import { data, Navigate, useParams } from 'react-router'
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

/** The screen at a part of the address, with the id in it. */
function findScreen(path: string): (Screen & { id: string }) | undefined {
  const [area = '', id = '', ...rest] = path.split('/')
  const key = Object.hasOwn(screens, path) ? path : rest.length === 0 ? `${area}/:id` : ''
  const screen = Object.hasOwn(screens, key) ? screens[key] : undefined
  return screen && { ...screen, id }
}

function readPath(params: Readonly<Record<string, string | undefined>>): string {
  return (params['*'] ?? '').replace(/\/$/, '')
}

/** Every other address is on no map. Thrown, so that the answer's status says so too. */
export function loader({ params }: { params: Readonly<Record<string, string | undefined>> }) {
  const path = readPath(params)
  if (path !== '' && !findScreen(path)) throw data(null, { status: 404 })
  return null
}

/** Within the app, nothing is asked of the server. */
export function clientLoader() {
  return null
}

/** The superadmins' screens, each loaded when it is opened. */
export default function SuperadminRoute() {
  const path = readPath(useParams())
  if (path === '') return <Navigate to="/dashboard/superadmin/subscriptions" replace />
  const screen = findScreen(path)
  if (!screen) return <NotFoundScreen />
  const { title, Content, id } = screen
  return (
    <SuperadminLayout>
      <title>{`${title} · Earshot`}</title>
      <Suspense fallback={<Skeleton className="h-64" />}>
        <Content id={id} />
      </Suspense>
    </SuperadminLayout>
  )
}
