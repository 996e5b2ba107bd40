import { useState } from 'react'
import type { Attachment } from '#contract/files.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import type { useAnnotations } from '../annotate/use-annotations.ts'

interface AnnotationNoteProps {
  attachment: Attachment
  annotation: NonNullable<Attachment['annotation']>
  /** Deletes it; undefined: the person may not. */
  deleting: ReturnType<typeof useAnnotations>['deleting'] | undefined
}

/** Who drew on the picture, and its deletion after a question. */
export function AnnotationNote({ attachment, annotation, deleting }: AnnotationNoteProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-muted text-sm">
      <span>
        Annotated by <bdi>{annotation.byName ?? 'a former member'}</bdi> · <RelativeTime iso={attachment.createdAt} />
      </span>
      {deleting && (
        <>
          <Button variant="link" size="sm" onClick={() => setAsking(true)}>
            Delete
          </Button>
          <Dialog
            open={isAsking}
            onOpenChange={setAsking}
            title="Delete this annotated picture?"
            description="The original stays. This can’t be undone."
          >
            <div className="flex justify-end gap-2">
              <Button variant="secondary" onClick={() => setAsking(false)}>
                Cancel
              </Button>
              <Button
                variant="danger"
                loading={deleting.isPending}
                onClick={() => deleting.mutate(attachment.id, { onSettled: () => setAsking(false) })}
              >
                Delete picture
              </Button>
            </div>
          </Dialog>
        </>
      )}
    </p>
  )
}
