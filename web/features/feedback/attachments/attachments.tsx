import { CircleAlert, FileText } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { Attachment } from '#contract/files.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useAnnotations } from '../annotate/use-annotations.ts'
import { Section } from '../item/feedback-facts.tsx'
import { AnnotationNote } from './annotation-note.tsx'
import { attachmentLabels } from './attachment-icons.tsx'
import { describeGaps } from './describe-gaps.ts'
import { DownloadLink } from './download-link.tsx'
import { Screenshot } from './screenshot.tsx'

// Few items hold a recording, and the engine of replays is large.
const ReplayPlayer = lazy(() => import('../item/replay-player.tsx'))
const RecordingPlayer = lazy(async () => ({ default: (await import('./recording-player.tsx')).RecordingPlayer }))
const SoundPlayer = lazy(async () => ({ default: (await import('./sound-player.tsx')).SoundPlayer }))

interface AttachmentsProps {
  item: FeedbackDetail
  /** Addresses of files stop working after a while: asks for new ones. */
  onExpired: () => void
}

/** An item's attachments: pictures, sound, recordings and files, each shown in place. */
export function Attachments({ item, onExpired }: AttachmentsProps) {
  const { organization, can } = useOrganization()
  const all = useAnnotations(organization.id, item.id)
  const annotations = can('manage_feedback') && item.deletedAt === null ? all : undefined
  const { attachments, context } = item
  if (attachments.length === 0) return null
  return (
    <Section title={attachments.length === 1 ? 'Attachment' : `${attachments.length} attachments`}>
      <ul className="flex flex-col gap-3">
        {attachments.map((attachment) => (
          <li key={attachment.id} className="min-w-0">
            <AttachmentView attachment={attachment} context={context} annotations={annotations} onExpired={onExpired} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface ViewProps extends Pick<AttachmentsProps, 'onExpired'> {
  attachment: Attachment
  /** The item's: what a recording shows is told along it. */
  context: FeedbackDetail['context']
  /** Undefined: the person may not annotate. */
  annotations: ReturnType<typeof useAnnotations> | undefined
}

function AttachmentView({ attachment, context, annotations, onExpired }: ViewProps) {
  const { kind, state, note, url, missing, annotation } = attachment
  if (state === 'refused') {
    return (
      <Standing icon={<CircleAlert />} title={`${attachmentLabels[kind]} blocked`}>
        {note ?? 'The file’s content doesn’t match its type.'}
      </Standing>
    )
  }
  if (url === null) {
    return (
      <Standing icon={<Spinner />} title={`${attachmentLabels[kind]} not ready yet`}>
        {state === 'processing' ? 'The file is being processed.' : 'The visitor’s browser is still uploading it.'}
      </Standing>
    )
  }
  return (
    <>
      <AttachmentContent
        attachment={attachment}
        url={url}
        context={context}
        annotations={annotations}
        onExpired={onExpired}
      />
      {missing.length > 0 && <p className="mt-1.5 text-muted text-sm">{describeGaps(missing)}</p>}
      {annotation && (
        <AnnotationNote attachment={attachment} annotation={annotation} deleting={annotations?.deleting} />
      )}
      {note !== null && <p className="mt-1.5 text-muted text-sm">{note}</p>}
    </>
  )
}

function AttachmentContent({ attachment, url, context, annotations, onExpired }: ViewProps & { url: string }) {
  const annotating = attachment.state === 'ready' ? annotations?.opening : undefined
  switch (attachment.kind) {
    case 'screenshot':
      return <Screenshot attachment={attachment} url={url} onExpired={onExpired} annotating={annotating} />
    case 'voice':
      return (
        <Suspense fallback={<Skeleton className="h-14.5 rounded-md pointer-coarse:h-15.5" />}>
          <SoundPlayer attachment={attachment} url={url} onExpired={onExpired} />
        </Suspense>
      )
    case 'screen':
      return (
        <Suspense fallback={<Skeleton className="aspect-video rounded-md" />}>
          <RecordingPlayer attachment={attachment} url={url} context={context} onExpired={onExpired} />
        </Suspense>
      )
    case 'replay':
      return (
        <Suspense fallback={<Skeleton className="aspect-video rounded-md" />}>
          <ReplayPlayer url={url} context={context} />
        </Suspense>
      )
    case 'file':
      if (attachment.mime?.startsWith('image/')) {
        return <Screenshot attachment={attachment} url={url} onExpired={onExpired} annotating={annotating} />
      }
      return <DownloadLink attachment={attachment} url={url} icon={<FileText aria-hidden="true" />} />
  }
}

function Standing({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 rounded-md border border-border bg-surface px-3 py-2.5 text-base [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted">
      {icon}
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <p className="text-muted [overflow-wrap:anywhere]">{children}</p>
      </div>
    </div>
  )
}
