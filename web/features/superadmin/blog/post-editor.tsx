import { useState } from 'react'
import type { BlogPost } from '#contract/blog-posts.ts'
import { ApiError } from '#web/lib/api.ts'
import { cn } from '#web/ui/class-names.ts'
import { Input } from '#web/ui/input.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { ConflictNote } from './conflict-note.tsx'
import { MarkdownField } from './markdown-field.tsx'
import { PostDetails } from './post-details.tsx'
import { PostPreview } from './post-preview.tsx'
import { PublishBar } from './publish-bar.tsx'
import { PostRevisions } from './revisions.tsx'
import { type PostDraft, usePostDraft } from './use-post-draft.ts'

type View = 'write' | 'preview' | 'details' | 'versions'

const views = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
  { value: 'details', label: 'Details' },
  { value: 'versions', label: 'Versions' },
] as const

/** Writes a post: beside its Markdown, where there is room, the post as readers will see it. */
export function PostEditor({ opened, onDeleted }: { opened: BlogPost; onDeleted: () => void }) {
  const draft = usePostDraft(opened)
  const [view, setView] = useState<View>('write')
  const findError = (field: string) => {
    const message = draft.error instanceof ApiError ? draft.error.findFieldMessage(field) : undefined
    return message && `This value ${message}.`
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the fields within, and every act has a button
    <div
      className="@container flex flex-1 flex-col gap-4"
      onKeyDown={(event) => {
        if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        void draft.save()
      }}
    >
      <PublishBar draft={draft} onDeleted={onDeleted} />
      {draft.isConflict && <ConflictNote draft={draft} />}
      <SaveState draft={draft} hasOwnPlace={findError('title') !== undefined || findError('slug') !== undefined} />
      <Input
        aria-label="Title"
        aria-invalid={findError('title') !== undefined || undefined}
        className="h-11 font-semibold text-xl"
        maxLength={200}
        value={draft.content.title}
        onChange={({ currentTarget }) => draft.edit({ title: currentTarget.value })}
      />
      <Segmented label="View" value={view} options={views} onChange={setView} className="self-start" />
      {(view === 'write' || view === 'preview') && (
        <div className="grid flex-1 gap-4 @3xl:grid-cols-2">
          <div className={cn('flex min-w-0 flex-col', view === 'preview' && 'hidden @3xl:flex')}>
            <MarkdownField value={draft.content.markdown} onChange={(markdown) => draft.edit({ markdown })} />
          </div>
          <div className={cn('min-w-0', view === 'write' && 'hidden @3xl:block')}>
            <PostPreview title={draft.content.title} markdown={draft.content.markdown} />
          </div>
        </div>
      )}
      {view === 'details' && <PostDetails draft={draft} slugError={findError('slug')} />}
      {view === 'versions' && <PostRevisions draft={draft} onRestored={() => setView('write')} />}
    </div>
  )
}

/** Whether everything is saved. */
function SaveState({ draft, hasOwnPlace }: { draft: PostDraft; hasOwnPlace: boolean }) {
  const { isDirty, isSaving, error, isConflict, post, content } = draft
  if (error && !isConflict) {
    return (
      <p role="alert" className="text-base text-danger-text">
        {hasOwnPlace && error instanceof ApiError
          ? error.message
          : `${error.message} Your text is kept in this tab until it is saved.`}
      </p>
    )
  }
  return (
    <output className="text-muted text-sm">
      {isSaving
        ? 'Saving …'
        : !isDirty
          ? 'Saved'
          : isConflict
            ? 'Not saved'
            : content.title.trim() === ''
              ? 'Not saved: enter a title'
              : post.state === 'published'
                ? 'Not saved: readers see the last saved version'
                : 'Not saved yet'}
    </output>
  )
}
