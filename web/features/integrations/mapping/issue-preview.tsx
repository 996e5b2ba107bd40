import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { priorityLabels } from '#contract/feedback-labels.ts'
import type { Integration } from '#contract/integrations.ts'
import type { IssueMapping } from '#contract/issue-mapping.ts'
import type { IssuePreview } from '#contract/issue-preview.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { RequestNote } from '#web/ui/request-note.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { numberedQuery, previewQuery } from './mapping-queries.ts'

const typingPauseMs = 400
const maxNumberLength = 9

interface PreviewProps {
  integration: Integration
  mapping: IssueMapping
}

/** An issue as it would be created with the mapping in the form, from the newest item or one of a number. */
export function IssuePreviewPanel({ integration, mapping }: PreviewProps) {
  const [typed, setTyped] = useState('')
  const [projectId, setProjectId] = useState<string>()
  const digits = useSettled(typed.replace(/\D/g, '').slice(0, maxNumberLength))
  const { organization } = useOrganization()
  const number = digits === '' ? undefined : Number(digits)
  const numbered = useQuery({ ...numberedQuery(organization.id, number ?? 0), enabled: number !== undefined })
  const projects = useQuery(projectsQuery(organization.id))
  const candidates = number === undefined ? [] : (numbered.data ?? [])
  const selected = candidates.find((each) => each.projectId === projectId) ?? candidates[0]
  const isMissing = number !== undefined && numbered.data?.length === 0
  const error = isMissing ? `There is no item #${number} in the inbox.` : numbered.error?.message
  return (
    <div className="flex flex-col gap-4 p-5">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Item number"
          hint="Leave it empty for the newest matching item."
          error={number === undefined ? undefined : error}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              placeholder="Newest"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              // It would save the form around it.
              onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            />
          )}
        </Field>
        {candidates.length > 1 && (
          <Field label="Project">
            {(control) => (
              <Select
                {...control}
                value={selected?.projectId ?? ''}
                onChange={({ currentTarget }) => setProjectId(currentTarget.value)}
              >
                {candidates.map((each) => (
                  <option key={each.id} value={each.projectId}>
                    {projects.data?.find(({ id }) => id === each.projectId)?.name ?? 'Project'}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </div>
      {number === undefined ? (
        <Shown integration={integration} mapping={mapping} />
      ) : (
        selected && <Shown integration={integration} mapping={mapping} feedbackId={selected.id} />
      )}
    </div>
  )
}

function Shown({ integration, mapping, feedbackId }: PreviewProps & { feedbackId?: string }) {
  const { organization } = useOrganization()
  const place = { organizationId: organization.id, integrationId: integration.id }
  const {
    data: issue,
    error,
    isFetching,
    isPlaceholderData,
    refetch,
  } = useQuery(previewQuery(place, feedbackId, useSettled(mapping)))
  if (error && !isFetching) {
    return (
      <div role="alert" className="flex flex-col items-start gap-3 rounded-md bg-sunken p-4">
        <div>
          <p className="font-medium text-base">Couldn’t load the preview</p>
          <p className="text-base text-muted">{error.message}</p>
          <RequestNote error={error} />
        </div>
        <Button variant="secondary" size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (issue === undefined) {
    return (
      <output className="block">
        <span className="sr-only">Loading preview</span>
        <Skeleton className="h-56 rounded-md" />
      </output>
    )
  }
  if (issue === null) {
    return (
      <p className="rounded-md bg-sunken px-4 py-8 text-center text-base text-muted">
        No feedback matches yet. The first item that does appears here.
      </p>
    )
  }
  return <IssueCard integration={integration} issue={issue} isStale={isPlaceholderData} />
}

function IssueCard({
  integration: { config },
  issue,
  isStale,
}: {
  integration: Integration
  issue: IssuePreview
  isStale: boolean
}) {
  const { title, body, labels, priority, assignee, status, statusFailure, number, projectName } = issue
  // By convention of trackers, those that every issue gets.
  const fixed = typeof config.labels === 'string' ? config.labels.split(',').flatMap((each) => each.trim() || []) : []
  const all = [...new Set([...fixed, ...labels])]
  return (
    <section
      aria-label="Preview of the issue"
      aria-busy={isStale}
      className={cn('overflow-hidden rounded-md border border-border transition-opacity', isStale && 'opacity-60')}
    >
      <div className="flex flex-col gap-3 border-border border-b px-4 py-3">
        <div className="min-w-0">
          <p className="text-muted text-sm">
            From #{number} in <bdi>{projectName}</bdi>
          </p>
          <h3 className="font-semibold text-lg [overflow-wrap:anywhere]" dir="auto">
            {title}
          </h3>
        </div>
        <dl className="grid grid-cols-[7rem_1fr] gap-x-4 gap-y-1.5 text-base">
          <Fact name="Status">
            {status ? status.name : <span className="text-warning-text">Unknown. {statusFailure}</span>}
          </Fact>
          <Fact name="Labels">
            {all.length === 0 ? (
              <span className="text-muted">None</span>
            ) : (
              <span className="flex flex-wrap gap-1.5">
                {all.map((label) => (
                  <Badge key={label} className="max-w-full">
                    <bdi className="truncate">{label}</bdi>
                  </Badge>
                ))}
              </span>
            )}
          </Fact>
          {priority !== null && <Fact name="Priority">{priorityLabels[priority]}</Fact>}
          {assignee && (
            <Fact name="Assignee">
              {assignee.name === null ? assignee.email : `${assignee.name} (${assignee.email})`}
            </Fact>
          )}
        </dl>
      </div>
      <section
        aria-label="Text of the issue in Markdown"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and not every browser gives such an area a place by itself.
        tabIndex={0}
        className="max-h-80 overflow-auto bg-sunken px-4 py-3"
      >
        <pre className="whitespace-pre-wrap font-mono text-sm [overflow-wrap:anywhere]" dir="auto">
          {body}
        </pre>
      </section>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

/** The value, once it has been stable for a moment (debounced). */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingPauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
