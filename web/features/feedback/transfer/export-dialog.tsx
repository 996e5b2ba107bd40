import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Trash2, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import { createExport, deleteExport, type Export, type ExportFormat, exportFormats } from '#contract/exports.ts'
import type { FeedbackSelection } from '#contract/inbox.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatBytes } from '#web/shared/format-bytes.ts'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { MatchCount } from '../filters/match-count.ts'
import { ProgressBar } from './progress-bar.tsx'
import { exportsQuery } from './transfer-queries.ts'

const formats: Readonly<Record<ExportFormat, { name: string; about: string }>> = {
  csv: { name: 'CSV', about: 'One row per item, for any spreadsheet.' },
  xlsx: { name: 'Excel', about: 'A workbook (.xlsx). Cells are cut at 32,767 characters.' },
  json: { name: 'JSON', about: 'All data with comments and history, for programs.' },
  zip: { name: 'ZIP', about: 'JSON, CSV and all attachments, in one folder per item.' },
}

/** Asks for an export, and lists those of the last days. Without a selection, only the list. */
export default function ExportDialog({
  selection: given,
  count,
  onClose,
}: {
  selection: FeedbackSelection | undefined
  count: MatchCount | undefined
  onClose: () => void
}) {
  const { organization } = useOrganization()
  const organizationId = organization.id
  const queryClient = useQueryClient()
  // As it was when the dialog opened: a retry requests the same.
  const [selection] = useState(given)
  const [format, setFormat] = useState<ExportFormat>('csv')
  // The same id for every try: pressing twice makes one export.
  const id = useRef(uuidV7())
  const exports = useQuery(exportsQuery(organizationId))
  const refresh = () => queryClient.invalidateQueries({ queryKey: exportsQuery(organizationId).queryKey })
  const create = useMutation({
    mutationFn: (asked: FeedbackSelection) =>
      call(createExport, { params: { organizationId }, body: { id: id.current, format, selection: asked } }),
    onSuccess: () => {
      id.current = uuidV7()
      return refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (exportId: string) => call(deleteExport, { params: { organizationId, exportId } }),
    onSettled: refresh,
    onError: (error) => toast({ title: 'Couldn’t delete the export', error, tone: 'danger' }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={selection ? 'Export feedback' : 'Exports'}
      description={
        selection ? `${describeCount(count)} matching your filters.` : 'Your team’s exports from the last seven days.'
      }
    >
      <div className="flex flex-col gap-6">
        {selection && (
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              create.mutate(selection)
            }}
          >
            <FormatChoice format={format} onChange={setFormat} />
            {create.error && (
              <p role="alert" className="text-danger-text text-sm">
                {create.error.message}
              </p>
            )}
            <Button type="submit" loading={create.isPending} disabled={count?.count === 0}>
              Export
            </Button>
          </form>
        )}
        <section aria-label="Exports of the last days" className="flex flex-col gap-2">
          {selection && exports.data && exports.data.length > 0 && <h2 className="font-medium text-base">Exports</h2>}
          {exports.error && !exports.data ? (
            <LoadFailure title="Couldn’t load exports" error={exports.error} onRetry={() => exports.refetch()} />
          ) : exports.data?.length === 0 ? (
            <p className="text-muted text-sm">No exports in the last seven days.</p>
          ) : (
            <ul className="flex flex-col divide-y divide-border">
              {exports.data?.map((each) => (
                <ExportRow key={each.id} made={each} onRemove={() => remove.mutate(each.id)} />
              ))}
            </ul>
          )}
        </section>
      </div>
    </Dialog>
  )
}

function FormatChoice({ format, onChange }: { format: ExportFormat; onChange: (format: ExportFormat) => void }) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1.5 font-medium text-base">Format</legend>
      {exportFormats.map((each) => (
        <label
          key={each}
          className="flex items-start gap-3 rounded-md border border-border p-3 has-[:checked]:border-accent has-[:checked]:bg-sunken"
        >
          <input
            type="radio"
            name="format"
            className="mt-1 accent-accent"
            checked={format === each}
            onChange={() => onChange(each)}
          />
          <span className="flex flex-col">
            <span className="font-medium text-base">{formats[each].name}</span>
            <span className="text-muted text-sm">{formats[each].about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function ExportRow({ made, onRemove }: { made: Export; onRemove: () => void }) {
  const isOpen = made.state === 'queued' || made.state === 'running'
  const name = formats[made.format].name
  return (
    <li className="flex items-center gap-3 py-3">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {isOpen ? (
          <ProgressBar
            label={made.state === 'queued' ? `${name}, waiting` : `Writing ${name}`}
            done={made.processed}
            total={made.count}
          />
        ) : (
          <>
            <span className="font-medium text-base">
              {name}
              {made.state === 'ready' && `, ${formatItems(made.count ?? 0)}, ${formatBytes(made.bytes ?? 0)}`}
              {made.state === 'failed' && ', failed'}
            </span>
            <span className="text-muted text-sm">
              {made.createdByName !== null && (
                <>
                  <bdi>{made.createdByName}</bdi> ·{' '}
                </>
              )}
              <RelativeTime iso={made.createdAt} />
              {made.state === 'ready' && ` · ${describeEnd(made)}`}
            </span>
          </>
        )}
        {made.note !== null && <span className="text-danger-text text-sm">{made.note}</span>}
      </div>
      {made.downloadUrl !== null && (
        <Button asChild variant="secondary" size="sm">
          <a href={made.downloadUrl} download>
            <Download aria-hidden="true" />
            Download
          </a>
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={isOpen ? `Cancel ${name} export` : `Delete ${name} export`}
        onClick={onRemove}
      >
        {isOpen ? <X aria-hidden="true" /> : <Trash2 aria-hidden="true" />}
      </Button>
    </li>
  )
}

function describeCount(match: MatchCount | undefined): string {
  return match === undefined ? 'All items' : formatItems(match.count, match.limit)
}

function describeEnd({ expiresAt }: Export): string {
  const days = Math.max(1, Math.ceil((Date.parse(expiresAt) - Date.now()) / 86_400_000))
  return `expires in ${formatQuantity(days, 'day')}`
}
