import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { guidesQuery } from './docs-queries.ts'

/** All guides by section, with what each is about. */
export function GuideOverview({ toAddress }: { toAddress: (path: string) => string }) {
  const guides = useQuery(guidesQuery)
  if (guides.data === undefined) {
    if (!guides.error) return <Skeleton className="mt-8 h-96" />
    return <LoadFailure title="Couldn’t load the guides" error={guides.error} onRetry={() => void guides.refetch()} />
  }
  return (
    <div className="mt-8 flex flex-col gap-10">
      {[...Map.groupBy(guides.data, ({ section }) => section)].map(([section, listed]) => (
        <section key={section} aria-label={section}>
          <h2 className="mb-3 font-semibold text-lg">{section}</h2>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {listed.map(({ path, title, description }) => (
              <li key={path}>
                <Link
                  to={toAddress(path)}
                  className="flex h-full flex-col gap-1 rounded-lg border border-border bg-surface p-4 shadow-sm hover:border-border-strong"
                >
                  <span className="font-medium text-base">{title}</span>
                  <span className="text-muted text-sm">{description}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
