import { Suspense } from 'react'
import { useParams } from 'react-router'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { NotFoundScreen } from '../error-screens.tsx'
import { SuperadminLayout } from '../superadmin-layout.tsx'
import { findSuperadminScreen } from '../superadmin-screens.ts'

/** The superadmins' screens. */
export default function SuperadminRoute() {
  const { area = '', id = '' } = useParams()
  const screen = findSuperadminScreen(area, id)
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
