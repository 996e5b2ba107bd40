import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  type EmailWords,
  exportEmailTemplates,
  type ImportChange,
  importEmailTemplates,
} from '#contract/email-templates.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { templatesKey } from './template-queries.ts'
import { WordsDifference } from './words-difference.tsx'

const maxFileBytes = 1024 * 1024

interface Incoming {
  readonly templates: Record<string, EmailWords>
  readonly changes: readonly ImportChange[]
}

/** Carries the changed words of all emails to another instance, as a file. */
export function TemplateTransfer() {
  const input = useRef<HTMLInputElement>(null)
  const [incoming, setIncoming] = useState<Incoming>()
  const exporting = useMutation({
    mutationFn: () => call(exportEmailTemplates, {}),
    networkMode: 'always',
    retry: false,
    onSuccess: (file) => save(`email-templates-${file.exportedAt.slice(0, 10)}.json`, JSON.stringify(file, null, 2)),
    onError: (error) => toast({ title: 'Couldn’t export the templates', error, tone: 'danger' }),
  })
  const checking = useMutation({
    mutationFn: async (file: File): Promise<Incoming> => {
      const templates = await readTemplates(file)
      const { changes } = await call(importEmailTemplates, { body: { isDryRun: true, templates } })
      return { templates, changes }
    },
    networkMode: 'always',
    retry: false,
    onSuccess: setIncoming,
    onError: (error) =>
      toast({ title: 'Couldn’t read this file', description: describeRefusal(error), tone: 'danger' }),
  })
  return (
    <div className="flex flex-wrap gap-2 sm:ml-auto">
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="File with email templates"
        className="sr-only"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file can be picked again.
          currentTarget.value = ''
          if (file) checking.mutate(file)
        }}
      />
      <Button variant="secondary" loading={checking.isPending} onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" />
        Import
      </Button>
      <Button variant="secondary" loading={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download aria-hidden="true" />
        Export
      </Button>
      {incoming && <ImportDialog incoming={incoming} onClose={() => setIncoming(undefined)} />}
    </div>
  )
}

function ImportDialog({ incoming: { templates, changes }, onClose }: { incoming: Incoming; onClose: () => void }) {
  const queryClient = useQueryClient()
  const changing = changes.filter(({ change }) => change !== 'same')
  const importing = useMutation({
    mutationFn: () => {
      const versions = Object.fromEntries(changes.map(({ id, version }) => [id, version]))
      return call(importEmailTemplates, { body: { isDryRun: false, templates, versions } })
    },
    networkMode: 'always',
    onSuccess: () => {
      toast({ title: 'Templates imported', tone: 'success' })
      onClose()
      return queryClient.invalidateQueries({ queryKey: templatesKey })
    },
  })
  if (changing.length === 0) {
    return (
      <ConfirmDialog
        open
        onOpenChange={(open) => !open && onClose()}
        title="No changes needed"
        action="Close"
        isPending={false}
        error={null}
        onConfirm={onClose}
      >
        <p>This instance already has all words of the file.</p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={changing.length === 1 ? 'Import 1 template?' : `Import ${changing.length} templates?`}
      action="Import"
      isPending={importing.isPending}
      error={importing.error}
      onConfirm={() => importing.mutate()}
    >
      <p>Words of the file replace those of this instance. Earlier words stay under Versions.</p>
      <ul className="flex max-h-80 flex-col gap-4 overflow-y-auto" aria-label="Changes">
        {changing.map(({ id, title, before, after }) => (
          <li key={id}>
            <details>
              <summary className="cursor-pointer font-medium text-foreground">{title}</summary>
              <div className="mt-2 text-foreground">
                <WordsDifference before={before} after={after} labels={{}} same="The same as now." />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

/** @throws Error in words for the reader. */
async function readTemplates(file: File): Promise<Record<string, EmailWords>> {
  const problem = 'Select a file that “Export” of an Earshot instance made.'
  if (file.size > maxFileBytes) throw new Error(problem)
  let content: unknown
  try {
    content = JSON.parse(await file.text())
  } catch {
    throw new Error(problem)
  }
  // Anything but null has properties, of types that are checked here.
  const { format, templates } = (content ?? {}) as { format?: unknown; templates?: unknown }
  if (format !== 'earshot-email-templates' || typeof templates !== 'object' || templates === null) {
    throw new Error(problem)
  }
  // The server checks each text.
  return templates as Record<string, EmailWords>
}

/** The first text that is wrong. */
function describeRefusal(error: Error): string {
  const field = error instanceof ApiError ? error.problem?.fields?.[0] : undefined
  return field ? `${field.path.replace(/^body\.templates\./, '')} ${field.message}.` : error.message
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
