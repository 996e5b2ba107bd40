import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { exportInstanceUsers, userStates } from '#contract/superadmin-users.ts'
import { send } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { TimeOrder } from '#web/ui/time-order.tsx'
import { CsvExport } from '../csv-export.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { OrganizationChip } from '../organization-chip.tsx'
import { stateLabels } from './user-badges.tsx'
import { readUserSearch, toUserFilters, type UserSearch, usersQuery, writeUserSearch } from './user-queries.ts'
import { UserRow } from './user-row.tsx'

/** The accounts of the instance. The filters stand in the address. */
export function UsersScreen() {
  const [params, setParams] = useSearchParams()
  const search = readUserSearch(params)
  const change = (next: UserSearch) => setParams(writeUserSearch(next), { preventScrollReset: true, replace: true })
  const list = useInfiniteQuery(usersQuery(search))
  const rows = list.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <UserFilters search={search} onChange={change} />
        {search.organizationId !== '' && (
          <OrganizationChip id={search.organizationId} onRemove={() => change({ ...search, organizationId: '' })} />
        )}
        <CsvExport
          request={() => send(exportInstanceUsers, { body: toUserFilters(search) }, '*/*')}
          failure="Couldn’t export the users"
        />
      </div>
      {rows === undefined ? (
        list.error ? (
          <LoadFailure title="Couldn’t load users" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton label="Loading users" />
        )
      ) : rows.length === 0 ? (
        <EmptyState
          icon={<SearchX />}
          title="No results"
          action={
            <Button variant="secondary" onClick={() => setParams({})}>
              Clear filters
            </Button>
          }
        >
          No user matches these filters.
        </EmptyState>
      ) : (
        <>
          <ul
            aria-label="Users"
            aria-busy={list.isPlaceholderData}
            className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {rows.map((user) => (
              <li key={user.id}>
                <UserRow user={user} />
              </li>
            ))}
          </ul>
          <MoreButton list={list} className="mt-4 self-center" />
        </>
      )}
    </>
  )
}

function UserFilters({ search, onChange }: { search: UserSearch; onChange: (search: UserSearch) => void }) {
  return (
    <search aria-label="Filters" className="contents">
      <SearchField
        label="Search users"
        placeholder="Name or email"
        value={search.search}
        onChange={(words) => onChange({ ...search, search: words })}
      />
      <Select
        aria-label="State"
        className="w-auto min-w-36 flex-1 sm:flex-none"
        value={search.state}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, state: userStates.find((each) => each === value) ?? '' })
        }
      >
        <option value="">All users</option>
        {userStates.map((state) => (
          <option key={state} value={state}>
            {stateLabels[state]}
          </option>
        ))}
      </Select>
      <TimeOrder
        isOldestFirst={search.isOldestFirst}
        onChange={(isOldestFirst) => onChange({ ...search, isOldestFirst })}
      />
    </search>
  )
}
