import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { v7 as uuidV7 } from 'uuid'
import {
  cancelImport,
  createImport,
  type Import,
  maxImportBytes,
  startImport,
  undoImport,
  uploadImportFile,
} from '#contract/imports.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { sendFile } from '#web/lib/send-file.ts'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { ImportList } from './import-list.tsx'
import { MapColumns } from './import-mapping.tsx'
import { Problems } from './import-problems.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { importQuery, isRunning, runningLabels } from './transfer-queries.ts'

type View = 'choose' | 'list' | { readonly importId: string }

/**
 * Imports feedback from a file: select project and file, map its columns, validate every row, import. Also lists earlier
 * imports, to continue or undo them.
 */
export default function ImportDialog({ begin, onClose }: { begin: 'choose' | 'list'; onClose: () => void }) {
  const { organization } = useOrganization()
  const [view, setView] = useState<View>(begin)
  const open = (importId: string) => setView({ importId })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={view === 'list' ? 'Imports' : 'Import feedback'}
      description={
        view === 'list'
          ? 'Your team’s imports. You can undo each for 30 days.'
          : 'From a CSV or JSON file of another tool. Preview before anything is imported.'
      }
      className="sm:max-w-2xl"
    >
      {view === 'list' ? (
        <ImportList onOpen={open} onNew={() => setView('choose')} />
      ) : view === 'choose' ? (
        <ChooseFile organizationId={organization.id} onReady={open} onList={() => setView('list')} />
      ) : (
        <Steps organizationId={organization.id} importId={view.importId} onClose={onClose} />
      )}
    </Dialog>
  )
}

function ChooseFile({
  organizationId,
  onReady,
  onList,
}: {
  organizationId: string
  onReady: (id: string) => void
  onList: () => void
}) {
  const projects = useQuery(projectsQuery(organizationId))
  const [projectId, setProjectId] = useState('')
  const [file, setFile] = useState<File>()
  const id = useRef(uuidV7())
  const chosen = projectId || projects.data?.[0]?.id || ''
  const send = useMutation({
    mutationFn: async (body: File) => {
      await call(createImport, {
        params: { organizationId },
        body: { id: id.current, projectId: chosen, name: body.name.slice(0, 255) },
      })
      await sendFile(uploadImportFile, { params: { organizationId, importId: id.current } }, body)
    },
    onSuccess: () => onReady(id.current),
    onError: () => {
      id.current = uuidV7()
    },
  })
  const isTooLarge = file !== undefined && file.size > maxImportBytes
  const error = isTooLarge ? 'Files can have up to 50 MB. Split the file and import each part.' : send.error?.message
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (file) send.mutate(file)
      }}
    >
      <Field label="Project">
        {(control) => (
          <Select {...control} value={chosen} onChange={(event) => setProjectId(event.target.value)}>
            {projects.data?.map((project) => (
              <option key={project.id} value={project.id}>
                {project.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="File" hint="CSV or JSON, up to 50 MB. Save Excel sheets as CSV." error={error}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.tsv,.txt,.json,text/csv,application/json"
            className="w-full rounded-md border border-border bg-surface p-2 text-base file:mr-3 file:rounded-sm file:border-0 file:bg-sunken file:px-3 file:py-1"
            onChange={(event) => {
              send.reset()
              setFile(event.target.files?.[0])
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Button variant="link" onClick={onList}>
          Earlier imports
        </Button>
        <Button type="submit" loading={send.isPending} disabled={!file || isTooLarge || chosen === ''}>
          Continue
        </Button>
      </div>
    </form>
  )
}

function Steps({
  organizationId,
  importId,
  onClose,
}: {
  organizationId: string
  importId: string
  onClose: () => void
}) {
  // Whether the columns are mapped again after a validation.
  const [isMapping, setIsMapping] = useState(false)
  const queryClient = useQueryClient()
  const query = importQuery(organizationId, importId)
  const shown = useQuery(query)
  const params = { organizationId, importId }
  const settle = (next: Import) => queryClient.setQueryData(query.queryKey, next)
  const step = useMutation({
    mutationFn: (which: Step) =>
      call({ start: startImport, cancel: cancelImport, undo: undoImport }[which], { params }),
    onSuccess: settle,
  })
  const item = shown.data
  if (!item) {
    return shown.error ? (
      <p role="alert" className="text-danger-text">
        {shown.error.message}
      </p>
    ) : (
      <p className="text-muted">Reading the file…</p>
    )
  }
  if (item.layout && (item.state === 'uploaded' || (item.state === 'checked' && isMapping))) {
    const onChecking = (next: Import) => {
      setIsMapping(false)
      settle(next)
    }
    return <MapColumns organizationId={organizationId} item={item} layout={item.layout} onChecking={onChecking} />
  }
  return (
    <div className="flex flex-col gap-4">
      {isRunning(item) ? (
        <ProgressBar label={runningLabels[item.state] ?? ''} done={item.processed} total={item.total} />
      ) : (
        <p role="status" className="text-base">
          {describeOutcome(item)}
        </p>
      )}
      {item.importedBeforeAt !== null && item.state === 'checked' && (
        <p className="rounded-md bg-sunken p-3 text-sm">
          This file was imported into this project before. Importing it again creates duplicates.
        </p>
      )}
      {item.refused + item.incomplete > 0 && <Problems organizationId={organizationId} item={item} />}
      {step.error && (
        <p role="alert" className="text-danger-text text-sm">
          {step.error.message}
        </p>
      )}
      <StepButtons
        item={item}
        isPending={step.isPending}
        onStep={step.mutate}
        onMap={() => setIsMapping(true)}
        onClose={onClose}
      />
    </div>
  )
}

type Step = 'start' | 'cancel' | 'undo'

interface StepButtonsProps {
  item: Import
  isPending: boolean
  onStep: (step: Step) => void
  /** Maps the columns again. */
  onMap: () => void
  onClose: () => void
}

function StepButtons({ item, isPending, onStep, onMap, onClose }: StepButtonsProps) {
  const { can } = useOrganization()
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {(item.state === 'checking' || item.state === 'importing') && (
        <Button variant="secondary" loading={isPending} onClick={() => onStep('cancel')}>
          {item.state === 'importing' ? 'Stop' : 'Back'}
        </Button>
      )}
      {item.undoUntil !== null && can('delete_feedback') && (
        <Button variant="secondary" loading={isPending} onClick={() => onStep('undo')}>
          Undo import
        </Button>
      )}
      {item.state === 'checked' && (
        <Button variant="secondary" disabled={isPending} onClick={onMap}>
          Change columns
        </Button>
      )}
      {item.state === 'checked' && item.accepted > 0 && (
        <Button loading={isPending} onClick={() => onStep('start')}>
          Import {formatItems(item.accepted)}
        </Button>
      )}
      {!isRunning(item) && item.state !== 'checked' && <Button onClick={onClose}>Done</Button>}
    </div>
  )
}

function describeOutcome(item: Import): string {
  switch (item.state) {
    case 'checked':
      return `${formatQuantity(item.accepted, 'row')} can be imported${item.refused > 0 ? `, ${formatQuantity(item.refused, 'row')} can’t` : ''}.${describeIncomplete(item)}`
    case 'imported':
      return `${formatQuantity(item.accepted, 'row')} imported${item.refused > 0 ? `, ${formatQuantity(item.refused, 'row')} skipped` : ''}.${describeIncomplete(item)}`
    case 'undone':
      return 'The imported items are in the trash for 30 days.'
    case 'cancelled':
      return `Stopped. ${formatQuantity(item.accepted, 'row')} imported.`
    default:
      return item.note ?? 'The import failed.'
  }
}

function describeIncomplete({ incomplete, state }: Import): string {
  if (incomplete === 0) return ''
  const loses = incomplete === 1 ? 'loses' : 'lose'
  return ` ${formatQuantity(incomplete, 'row')} ${state === 'imported' ? 'lost' : loses} values that can’t be read.`
}
