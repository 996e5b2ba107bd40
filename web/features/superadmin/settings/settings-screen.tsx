import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { listSettings, type ShownSetting } from '#contract/superadmin-settings.ts'
import { call } from '#web/lib/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Input } from '#web/ui/input.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { SupportBundle } from './support-bundle.tsx'

const sourceLabels: Readonly<Record<ShownSetting['source'], string>> = {
  environment: 'Environment',
  file: 'File .env',
  default: 'Default',
  generated: 'Generated',
}

/** Every setting of the instance. The search stands in the address. */
export function SettingsScreen() {
  const [params, setParams] = useSearchParams()
  const search = params.get('search') ?? ''
  const list = useQuery({
    queryKey: ['superadmin', 'settings'],
    queryFn: ({ signal }) => call(listSettings, { signal }),
    networkMode: 'always',
  })
  const shown = list.data?.items.filter((setting) => matches(setting, search))
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-base text-muted">
          Settings are environment variables. A change needs a restart. Secrets are hidden.
        </p>
        <SupportBundle />
      </div>
      <search aria-label="Filters" className="mt-4">
        <Input
          type="search"
          aria-label="Search settings"
          placeholder="Search settings"
          className="sm:max-w-sm"
          value={search}
          onChange={({ currentTarget: { value } }) =>
            setParams(value === '' ? {} : { search: value }, { preventScrollReset: true, replace: true })
          }
        />
      </search>
      {shown === undefined ? (
        list.error ? (
          <LoadFailure title="Couldn’t load settings" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton label="Loading settings" />
        )
      ) : shown.length === 0 ? (
        <EmptyState
          icon={<SearchX />}
          title="No results"
          action={
            <Button variant="secondary" onClick={() => setParams({})}>
              Clear search
            </Button>
          }
        >
          No setting matches this search.
        </EmptyState>
      ) : (
        <>
          <p className="mt-4 text-muted text-sm" aria-live="polite">
            {shown.length === 1 ? '1 setting' : `${shown.length} settings`}
          </p>
          <ul
            aria-label="Settings"
            className="mt-2 divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {shown.map((setting) => (
              <li key={setting.name} className="px-4 py-3">
                <SettingRow setting={setting} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function SettingRow({ setting: { name, sentence, value, isSecret, isSet, source } }: { setting: ShownSetting }) {
  const shown = isSet ? (isSecret ? 'Set' : value) : 'Not set'
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="break-all font-medium font-mono text-sm">{name}</h2>
        <Badge className="ml-auto">{sourceLabels[source]}</Badge>
      </div>
      <p className={isSet && !isSecret ? 'mt-1 break-all font-mono text-sm' : 'mt-1 text-muted text-sm'}>{shown}</p>
      <p className="mt-1 text-muted text-sm [overflow-wrap:anywhere]">{sentence.replaceAll('`', '')}</p>
    </>
  )
}

/** Whether each word of the search is in the name, the value or the sentence. */
function matches({ name, value, sentence }: ShownSetting, search: string): boolean {
  const text = `${name} ${value ?? ''} ${sentence}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
