import { useState } from 'react'
import type { EmailTemplate } from '#contract/email-templates.ts'
import { ApiError } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { toast } from '#web/ui/toast.tsx'
import { EmailPreview } from './email-preview.tsx'
import { TemplateBadges } from './template-badges.tsx'
import { TemplateFields } from './template-fields.tsx'
import { TemplateNotes } from './template-notes.tsx'
import { TemplateVersions } from './template-versions.tsx'
import { TestSend } from './test-send.tsx'
import { usePreview } from './use-preview.ts'
import { type TemplateDraft, useTemplateDraft } from './use-template-draft.ts'

type View = 'write' | 'preview' | 'versions'

const views = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
  { value: 'versions', label: 'Versions' },
] as const

/** Edits the words of an email; beside them, where there is room, the email itself. */
export function TemplateEditor({ opened }: { opened: EmailTemplate }) {
  const draft = useTemplateDraft(opened)
  const [view, setView] = useState<View>('write')
  const [sample, setSample] = useState(0)
  const preview = usePreview(opened.id, draft.words, sample)
  const { template } = draft
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the fields within, and every act has a button
    <div
      className="@container flex flex-1 flex-col gap-4"
      onKeyDown={(event) => {
        if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        if (draft.isDirty) void draft.save()
      }}
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <h2 className="flex flex-wrap items-center gap-2 font-semibold text-xl">
            {template.title}
            <TemplateBadges template={template} />
          </h2>
          <p className="text-base text-muted">{template.sentence}</p>
        </div>
        <EditorActs draft={draft} sample={sample} />
      </div>
      <TemplateNotes draft={draft} />
      <SaveState draft={draft} />
      <Segmented label="View" value={view} options={views} onChange={setView} className="self-start" />
      {view === 'versions' ? (
        <TemplateVersions draft={draft} onRestored={() => setView('write')} />
      ) : (
        <div className="grid flex-1 items-start gap-6 @3xl:grid-cols-2">
          <div className={cn('min-w-0', view === 'preview' && 'hidden @3xl:block')}>
            <TemplateFields draft={draft} preview={preview.data} />
          </div>
          <div className={cn('min-w-0 @3xl:sticky @3xl:top-4', view === 'write' && 'hidden @3xl:block')}>
            <EmailPreview
              preview={preview.data}
              error={preview.error}
              samples={template.samples}
              sample={sample}
              onSample={setSample}
            />
          </div>
        </div>
      )}
    </div>
  )
}

function EditorActs({ draft, sample }: { draft: TemplateDraft; sample: number }) {
  const [isAsking, setAsking] = useState(false)
  const [isResetting, setResetting] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const { template, words, isDirty, isSaving } = draft
  const reset = async () => {
    setResetting(true)
    setError(null)
    try {
      await draft.reset()
      setAsking(false)
      toast({ title: 'Reset to default', tone: 'success' })
    } catch (failure) {
      setError(failure as Error) // Only errors are thrown.
    } finally {
      setResetting(false)
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <TestSend id={template.id} words={words} sample={sample} />
      {template.state !== 'default' && (
        <Button variant="secondary" onClick={() => setAsking(true)}>
          Reset to default
        </Button>
      )}
      {isDirty && (
        <Button variant="secondary" onClick={draft.discard}>
          Discard changes
        </Button>
      )}
      <Button disabled={!isDirty} loading={isSaving} onClick={() => void draft.save()}>
        Save
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Reset to default?"
        action="Reset to default"
        isPending={isResetting}
        error={error}
        onConfirm={() => void reset()}
      >
        <p>From now on, this email has Earshot’s own words. The present words stay under Versions.</p>
      </ConfirmDialog>
    </div>
  )
}

/** Whether everything is saved. */
function SaveState({ draft: { isDirty, isSaving, error, isConflict } }: { draft: TemplateDraft }) {
  if (error && !isConflict) {
    const isRefused = error instanceof ApiError && error.status < 500
    return (
      <p role="alert" className="text-base text-danger-text">
        {isRefused ? error.message : `${error.message} Your text is kept in this tab until it is saved.`}
      </p>
    )
  }
  return (
    <output className="text-muted text-sm">
      {isSaving ? 'Saving …' : isDirty ? 'Not saved: emails still have the last saved words' : 'Saved'}
    </output>
  )
}
