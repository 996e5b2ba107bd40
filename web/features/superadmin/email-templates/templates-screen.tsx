import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { type EmailTemplateLine, emailTemplateGroups } from '#contract/email-templates.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { TemplateBadges } from './template-badges.tsx'
import { groupLabels, templatesQuery } from './template-queries.ts'
import { TemplateTransfer } from './template-transfer.tsx'

/** All emails by group, and which of them have words of their own. The search stands in the address. */
export function TemplatesScreen() {
  const [params, setParams] = useSearchParams()
  const search = (params.get('q') ?? '').slice(0, 200)
  const { data, error, refetch } = useQuery(templatesQuery)
  const shown = data?.items.filter((template) => matches(template, search))
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search templates"
          placeholder="Title or kind"
          value={search}
          onChange={(q) => setParams(q === '' ? {} : { q }, { preventScrollReset: true, replace: true })}
        />
        <TemplateTransfer />
      </div>
      {shown === undefined ? (
        error ? (
          <LoadFailure title="Couldn’t load the templates" error={error} onRetry={() => void refetch()} />
        ) : (
          <ListSkeleton label="Loading templates" />
        )
      ) : shown.length === 0 ? (
        <EmptyState icon={<SearchX />} title="No results">
          No template matches this search.
        </EmptyState>
      ) : (
        emailTemplateGroups.map((group) => (
          <Group
            key={group}
            title={groupLabels[group]}
            templates={shown.filter((template) => template.group === group)}
          />
        ))
      )}
    </div>
  )
}

function matches({ id, title, sentence }: EmailTemplateLine, search: string): boolean {
  const text = `${title} ${id} ${sentence}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function Group({ title, templates }: { title: string; templates: readonly EmailTemplateLine[] }) {
  if (templates.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-semibold text-lg">{title}</h2>
      {templates.some(({ isSentBySupabase }) => isSentBySupabase) && (
        <p className="text-base text-muted">
          Your Supabase project sends these emails. Change their words in Supabase under Authentication → Emails.
        </p>
      )}
      <ul
        aria-label={title}
        className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
      >
        {templates.map((template) => (
          <li key={template.id}>
            <Row template={template} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Row({ template }: { template: EmailTemplateLine }) {
  const { id, title, sentence, updatedAt, updatedBy } = template
  return (
    <div className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,12rem)] sm:items-center">
      <span className="min-w-0">
        <Link
          to={`/dashboard/superadmin/email-templates/${id}`}
          className="rounded-sm font-medium underline-offset-4 hover:underline"
        >
          {title}
        </Link>
        <span className="block text-muted text-sm">{sentence}</span>
      </span>
      <span className="flex flex-wrap gap-1">
        <TemplateBadges template={template} />
      </span>
      <span className="text-muted text-sm sm:text-right">
        {updatedAt !== null && (
          <>
            <RelativeTime iso={updatedAt} className="block" />
            <bdi className="block truncate">{updatedBy}</bdi>
          </>
        )}
      </span>
    </div>
  )
}
