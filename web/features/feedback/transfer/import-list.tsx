import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Import, type ImportSummary, undoImport } from '#contract/imports.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { formatFullTime } from '#web/lib/relative-time.ts'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { importQuery, importsQuery, isRunning, runningLabels } from './transfer-queries.ts'

const states: Readonly<Record<Import['state'], { label: string; tone: BadgeTone }>> = {
  waiting: { label: 'No file', tone: 'neutral' },
  uploaded: { label: 'Not started', tone: 'neutral' },
  checking: { label: 'Checking', tone: 'info' },
  checked: { label: 'Checked', tone: 'neutral' },
  importing: { label: 'Importing', tone: 'info' },
  imported: { label: 'Imported', tone: 'success' },
  undoing: { label: 'Undoing', tone: 'info' },
  undone: { label: 'Undone', tone: 'neutral' },
  cancelled: { label: 'Stopped', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
}

/**
 * The imports of the last weeks, of the whole team: what became of each, with buttons to continue or undo it.
 * @param props.onOpen continues an unfinished import
 */
export function ImportList({ onOpen, onNew }: { onOpen: (importId: string) => void; onNew: () => void }) {
  const { organization } = useOrganization()
  const imports = useQuery(importsQuery(organization.id))
  const projects = useQuery(projectsQuery(organization.id))
  const nameOf = (projectId: string) => projects.data?.find(({ id }) => id === projectId)?.name
  if (imports.error && !imports.data) {
    return <LoadFailure title="Couldn’t load imports" error={imports.error} onRetry={() => imports.refetch()} />
  }
  // An import without a file cannot be continued.
  const shown = imports.data?.filter(({ state }) => state !== 'waiting')
  return (
    <div className="flex flex-col gap-4">
      {shown === undefined ? (
        <div className="flex flex-col gap-3" role="status" aria-label="Loading imports">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </div>
      ) : shown.length === 0 ? (
        <p className="rounded-md bg-sunken p-4 text-center text-base text-muted">No imports in the last 30 days.</p>
      ) : (
        <ul className="flex flex-col divide-y divide-border" aria-label="Imports">
          {shown.map((each) => (
            <ImportRow key={each.id} item={each} project={nameOf(each.projectId)} onOpen={() => onOpen(each.id)} />
          ))}
        </ul>
      )}
      <Button className="self-end" variant={shown?.length === 0 ? 'primary' : 'secondary'} onClick={onNew}>
        Import a file
      </Button>
    </div>
  )
}

function ImportRow({
  item,
  project,
  onOpen,
}: {
  item: ImportSummary
  project: string | undefined
  onOpen: () => void
}) {
  const { label, tone } = states[item.state]
  const canGoOn = item.state === 'uploaded' || item.state === 'checked'
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0">
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-0.5">
          <bdi className="truncate font-medium text-base" title={item.name}>
            {item.name}
          </bdi>
          <span className="break-words text-muted text-sm">
            {project !== undefined && (
              <>
                <bdi>{project}</bdi> ·{' '}
              </>
            )}
            {item.createdByName !== null && (
              <>
                <bdi>{item.createdByName}</bdi> ·{' '}
              </>
            )}
            <RelativeTime iso={item.createdAt} />
          </span>
        </div>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {isRunning(item) ? (
        <ProgressBar label={runningLabels[item.state] ?? ''} done={item.processed} total={item.total} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <span className="text-base">{describeCounts(item)}</span>
          {canGoOn && (
            <Button variant="secondary" size="sm" aria-label={`Continue with ${item.name}`} onClick={onOpen}>
              Continue
            </Button>
          )}
          <div className="ml-auto flex flex-wrap justify-end gap-2">
            {item.refused + item.incomplete > 0 && !canGoOn && (
              <Button variant="ghost" size="sm" aria-label={`Errors of ${item.name}`} onClick={onOpen}>
                Errors
              </Button>
            )}
            {item.undoUntil !== null && <Undo item={item} until={item.undoUntil} />}
          </div>
        </div>
      )}
      {item.note !== null && <p className="text-danger-text text-sm">{item.note}</p>}
    </li>
  )
}

/** Asks for confirmation: the team may have worked on these items since. */
function Undo({ item, until }: { item: ImportSummary; until: string }) {
  const { organization, can } = useOrganization()
  const organizationId = organization.id
  // Undefined: not asked yet. The button that is pressed gives way to another, which takes over the focus.
  const [isAsking, setIsAsking] = useState<boolean>()
  const queryClient = useQueryClient()
  const undo = useMutation({
    mutationFn: () => call(undoImport, { params: { organizationId, importId: item.id } }),
    onSuccess: (next) => {
      queryClient.setQueryData(importQuery(organizationId, item.id).queryKey, next)
      return queryClient.invalidateQueries({ queryKey: importsQuery(organizationId).queryKey })
    },
  })
  if (!can('delete_feedback')) return null
  if (!isAsking) {
    return (
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Undo import of ${item.name}`}
        title={`Until ${formatFullTime(until)}`}
        autoFocus={isAsking === false}
        onClick={() => setIsAsking(true)}
      >
        Undo…
      </Button>
    )
  }
  return (
    <div className="flex basis-full flex-wrap items-center justify-end gap-2 rounded-md bg-sunken p-3">
      <p className="mr-auto text-sm" role="status">
        {item.accepted === 1 ? 'Its item goes' : `Its ${formatItems(item.accepted)} go`} to the trash, whatever was done
        with {item.accepted === 1 ? 'it' : 'them'} since.
      </p>
      {undo.error && (
        <p role="alert" className="basis-full text-danger-text text-sm">
          {undo.error.message}
        </p>
      )}
      <Button variant="secondary" size="sm" autoFocus onClick={() => setIsAsking(false)}>
        Keep
      </Button>
      <Button variant="danger" size="sm" loading={undo.isPending} onClick={() => undo.mutate()}>
        Move to trash
      </Button>
    </div>
  )
}

function describeCounts({ state, accepted, refused }: ImportSummary): string {
  const leftOut = refused > 0 ? `, ${formatQuantity(refused, 'row')} skipped` : ''
  switch (state) {
    case 'uploaded':
      return 'Columns not mapped yet.'
    case 'checked':
      return `${formatItems(accepted)} can be imported`
    case 'undone':
      return accepted === 1 ? '1 item is in the trash.' : `${formatItems(accepted)} are in the trash.`
    default:
      return accepted === 0 ? `No items imported${leftOut}` : formatItems(accepted) + leftOut
  }
}
