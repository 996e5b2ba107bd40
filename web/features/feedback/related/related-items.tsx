import { useQuery } from '@tanstack/react-query'
import { Merge, Split } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import type { FeedbackDetail, RelatedItem } from '#contract/feedback.ts'
import { statusLabels } from '#contract/feedback-labels.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { StatusIcon } from '../feedback-icons.tsx'
import { Section } from '../item/feedback-facts.tsx'
import { MergeByNumber } from './merge-by-number.tsx'
import { similarQuery, useMerge } from './use-merge.ts'

interface RelatedProps {
  organizationId: string
  item: FeedbackDetail
  canChange: boolean
}

/** Items merged into this one, and similar items that could be. */
export function RelatedItems({ organizationId, item, canChange }: RelatedProps) {
  const { data: similar = [], isPending: isLooking, isError } = useQuery(similarQuery(organizationId, item.id))
  const { merge, unmerge, isPending } = useMerge(organizationId)
  const others = similar.filter(({ id }) => id !== item.mergedInto)
  const canMerge = canChange && item.location !== 'trash'
  return (
    <>
      {item.duplicates.length > 0 && (
        <Section title={`Merged into this (${item.duplicates.length})`}>
          <List>
            {item.duplicates.map((duplicate) => (
              <RelatedRow key={duplicate.id} item={duplicate}>
                {canChange && (
                  <Button
                    variant="ghost"
                    size="sm"
                    disabled={isPending}
                    onClick={() => unmerge({ ...duplicate, mergedInto: item.id })}
                    aria-label={`Unmerge #${duplicate.number}`}
                  >
                    <Split aria-hidden="true" />
                    Unmerge
                  </Button>
                )}
              </RelatedRow>
            ))}
          </List>
        </Section>
      )}
      {(others.length > 0 || canMerge) && (
        <Section
          title="Similar items"
          aside={canMerge && <MergeByNumber organizationId={organizationId} item={item} />}
        >
          {others.length === 0 ? (
            // As high as one line from the start.
            <p className="min-h-[1lh] text-base text-muted">
              {isError
                ? 'Couldn’t look for similar feedback.'
                : isLooking
                  ? ''
                  : 'No similar feedback in this project.'}
            </p>
          ) : (
            <List>
              {others.map((other) => (
                <RelatedRow key={other.id} item={other}>
                  {canMerge && (
                    <Button
                      variant="ghost"
                      size="sm"
                      disabled={isPending}
                      onClick={() => merge(item, { into: other.id })}
                      aria-label={`Merge into #${other.number}`}
                    >
                      <Merge aria-hidden="true" />
                      Merge into
                    </Button>
                  )}
                </RelatedRow>
              ))}
            </List>
          )}
        </Section>
      )}
    </>
  )
}

/** Sections below the similar items. They are not seen before these are there: they would move down. */
export function BelowRelated({
  organizationId,
  item,
  children,
}: Omit<RelatedProps, 'canChange'> & { children: ReactNode }) {
  const { isPending } = useQuery(similarQuery(organizationId, item.id))
  return <div className={cn(isPending && 'invisible')}>{children}</div>
}

/** On an item that is merged: into what, what became of that, and the way out. */
export function MergedNote({ organizationId, item, canChange }: RelatedProps) {
  const { unmerge, isPending } = useMerge(organizationId)
  const search = useItemSearch()
  const { original } = item
  if (!original) return null
  return (
    <div
      data-keep-clear
      className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-info-soft px-3 py-2 text-base text-info-text"
    >
      <Merge aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        Merged into{' '}
        <Link
          to={{ search: search(original.id) }}
          className="rounded-sm font-medium underline underline-offset-4 tabular-nums"
        >
          #{original.number}
        </Link>
        , which is {statusLabels[original.status].toLowerCase()}.
      </p>
      {canChange && (
        <Button variant="secondary" size="sm" disabled={isPending} onClick={() => unmerge(item)}>
          Unmerge
        </Button>
      )}
    </div>
  )
}

function List({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-border rounded-md border border-border bg-surface text-base">{children}</ul>
}

function RelatedRow({ item, children }: { item: RelatedItem; children: ReactNode }) {
  const search = useItemSearch()
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5">
      <Link
        to={{ search: search(item.id) }}
        className="flex min-w-0 flex-1 basis-48 items-center gap-2 rounded-sm py-1 hover:underline"
      >
        <StatusIcon status={item.status} />
        <span className="shrink-0 text-muted tabular-nums">#{item.number}</span>
        <bdi className="min-w-0 truncate">{item.excerpt === '' ? 'No message' : item.excerpt}</bdi>
      </Link>
      <RelativeTime iso={item.createdAt} short className="shrink-0 text-muted text-sm" />
      {children}
    </li>
  )
}

/** The inbox's address with another item open. */
function useItemSearch(): (id: string) => string {
  const { search } = useLocation()
  return (id) => {
    const parameters = new URLSearchParams(search)
    parameters.set('item', id)
    return `?${parameters}`
  }
}
