import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { type EmailTemplateRevision, restoreEmailTemplateRevision } from '#contract/email-templates.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { RequestNote } from '#web/ui/request-note.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { revisionQuery, revisionsQuery } from './template-queries.ts'
import type { TemplateDraft } from './use-template-draft.ts'
import { WordsDifference } from './words-difference.tsx'

/** What a version is compared with, unless with another version. */
const now = 'now'
const byDefault = 'default'

interface TemplateVersionsProps {
  draft: TemplateDraft
  onRestored: () => void
}

/** Saved versions of an email's words; each is compared with the words now, the default, or another version. */
export function TemplateVersions({ draft, onRestored }: TemplateVersionsProps) {
  const list = useInfiniteQuery(revisionsQuery(draft.template.id))
  const revisions = list.data?.pages.flatMap(({ items }) => items)
  const [selectedId, setSelectedId] = useState<string>(byDefault)
  const [otherId, setOtherId] = useState<string>(now)
  const compareId = useId()
  if (revisions === undefined) {
    return list.error ? (
      <LoadFailure title="Couldn’t load the versions" error={list.error} onRetry={() => void list.refetch()} />
    ) : (
      <ListSkeleton label="Loading versions" />
    )
  }
  const selected = revisions.find(({ id }) => id === selectedId)
  return (
    <div className="grid items-start gap-4 @3xl:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="flex flex-col">
        <ul
          aria-label="Versions"
          className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface"
        >
          {revisions.map((revision) => (
            <VersionButton
              key={revision.id}
              isCurrent={revision.id === selectedId}
              onClick={() => setSelectedId(revision.id)}
            >
              <RelativeTime iso={revision.savedAt} className="text-base" />
              <span className="text-muted text-sm">{wordRevision(revision)}</span>
            </VersionButton>
          ))}
          <VersionButton isCurrent={selected === undefined} onClick={() => setSelectedId(byDefault)}>
            <span className="text-base">Default</span>
            <span className="text-muted text-sm">Earshot’s own words</span>
          </VersionButton>
        </ul>
        <MoreButton list={list} className="mt-3 self-center" />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <label htmlFor={compareId} className="text-base text-muted">
            Compare with
          </label>
          <Select
            id={compareId}
            className="w-auto max-w-full"
            value={otherId}
            onChange={({ currentTarget }) => setOtherId(currentTarget.value)}
          >
            <option value={now}>The words now</option>
            <option value={byDefault}>The default</option>
            {revisions.map((revision) => (
              <option key={revision.id} value={revision.id}>
                Version {revision.version}, {wordRevision(revision)}
              </option>
            ))}
          </Select>
        </div>
        <Comparison draft={draft} selected={selected} otherId={otherId} onRestored={onRestored} />
      </div>
    </div>
  )
}

interface VersionButtonProps {
  isCurrent: boolean
  onClick: () => void
  children: ReactNode
}

function VersionButton({ isCurrent, onClick, children }: VersionButtonProps) {
  return (
    <li>
      <button
        type="button"
        aria-current={isCurrent || undefined}
        className="flex w-full flex-col px-3 py-2 text-left hover:bg-hover focus-visible:outline-offset-[-2px] aria-[current]:bg-accent-soft"
        onClick={onClick}
      >
        {children}
      </button>
    </li>
  )
}

function wordRevision({ savedBy, isReset }: EmailTemplateRevision): string {
  return `${isReset ? 'reset' : 'saved'} by ${savedBy ?? 'a deleted account'}`
}

interface ComparisonProps {
  draft: TemplateDraft
  /** Undefined: the default. */
  selected: EmailTemplateRevision | undefined
  otherId: string
  onRestored: () => void
}

function Comparison({ draft, selected, otherId, onRestored }: ComparisonProps) {
  const { template, words } = draft
  const own = useQuery({ ...revisionQuery(template.id, selected?.id ?? ''), enabled: selected !== undefined })
  const isStored = otherId !== now && otherId !== byDefault
  const other = useQuery({ ...revisionQuery(template.id, otherId), enabled: isStored })
  const before = selected ? own.data?.words : template.defaultWords
  const after = otherId === now ? words : otherId === byDefault ? template.defaultWords : other.data?.words
  const labels = Object.fromEntries(template.fields.map(({ name, label }) => [name, label]))
  const failed = own.error ?? other.error
  if (!before || !after) {
    return failed ? (
      <LoadFailure
        title="Couldn’t load this version"
        error={failed}
        onRetry={() => void Promise.all([selected && own.refetch(), isStored && other.refetch()])}
      />
    ) : (
      <Skeleton className="h-64" />
    )
  }
  return (
    <section aria-label="Differences" className="flex min-w-0 flex-col gap-3">
      {selected && <RestoreButton draft={draft} revisionId={selected.id} onRestored={onRestored} />}
      <WordsDifference before={before} after={after} labels={labels} same="No difference." />
    </section>
  )
}

function RestoreButton({
  draft,
  revisionId,
  onRestored,
}: {
  draft: TemplateDraft
  revisionId: string
  onRestored: () => void
}) {
  const { template } = draft
  const restoring = useMutation({
    mutationFn: () => {
      if (draft.isDirty) throw new Error('Save or discard your changes first.')
      return call(restoreEmailTemplateRevision, {
        params: { emailTemplateId: template.id, emailRevisionId: revisionId },
        body: { version: template.version },
      })
    },
    networkMode: 'always',
    onSuccess: (stored) => {
      draft.accept(stored)
      toast({ title: 'Version restored', tone: 'success' })
      onRestored()
    },
  })
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button variant="secondary" size="sm" loading={restoring.isPending} onClick={() => restoring.mutate()}>
        Restore this version
      </Button>
      {restoring.error && (
        <p role="alert" className="text-base text-danger-text">
          {restoring.error.message}
          <RequestNote error={restoring.error} />
        </p>
      )}
    </div>
  )
}
