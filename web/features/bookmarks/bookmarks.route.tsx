import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { listBookmarks } from '#contract/bookmarks.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'

export function meta() {
  return [{ title: 'Bookmarks · Earshot' }]
}

/** Addresses that the team keeps at hand. */
export default function BookmarksScreen() {
  const { id: organizationId } = useOrganization().organization
  const bookmarks = useQuery({
    queryKey: ['bookmarks', organizationId],
    queryFn: ({ signal }) => call(listBookmarks, { params: { organizationId }, signal }),
  })
  const items = bookmarks.data?.items ?? []
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <h1 className="font-semibold text-2xl">Bookmarks</h1>
      {bookmarks.error && (
        <LoadFailure title="Couldn’t load bookmarks" error={bookmarks.error} onRetry={() => void bookmarks.refetch()} />
      )}
      {bookmarks.data && items.length === 0 && (
        <EmptyState icon={<Bookmark />} title="No bookmarks yet" className="mt-6">
          Addresses that your team keeps appear here.
        </EmptyState>
      )}
      <ul className="mt-6">
        {items.map(({ id, title, url }) => (
          <li key={id}>
            {title} · {url}
          </li>
        ))}
      </ul>
    </div>
  )
}
