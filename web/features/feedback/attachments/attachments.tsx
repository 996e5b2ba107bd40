import { CircleAlert, FileText, Image, Mic, MonitorPlay, RotateCcw } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Attachment, AttachmentKind } from '#contract/files.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Section } from '../item/feedback-facts.tsx'
import { DownloadLink } from './download-link.tsx'
import { RecordingPlayer } from './recording-player.tsx'
import { Screenshot } from './screenshot.tsx'
import { SoundPlayer } from './sound-player.tsx'

// Its engine is large, and few items hold a replay.
const ReplayPlayer = lazy(() => import('../item/replay-player.tsx'))

interface AttachmentsProps {
  attachments: readonly Attachment[]
  /** The item's: what a recording shows is told along it. */
  context: Readonly<Record<string, unknown>>
  /** Addresses of files stop working after a while: asks for new ones. */
  onExpired: () => void
}

/** An item's attachments: pictures, sound, recordings and files, each shown in place. */
export function Attachments({ attachments, context, onExpired }: AttachmentsProps) {
  if (attachments.length === 0) return null
  return (
    <Section title={attachments.length === 1 ? 'Attachment' : `${attachments.length} attachments`}>
      <ul className="flex flex-col gap-3">
        {attachments.map((attachment) => (
          <li key={attachment.id} className="min-w-0">
            <AttachmentView attachment={attachment} context={context} onExpired={onExpired} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

type ViewProps = Pick<AttachmentsProps, 'context' | 'onExpired'> & { attachment: Attachment }

function AttachmentView({ attachment, context, onExpired }: ViewProps) {
  const { kind, state, note, url } = attachment
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
      <AttachmentContent attachment={attachment} url={url} context={context} onExpired={onExpired} />
      {note !== null && <p className="mt-1.5 text-muted text-sm">{note}</p>}
    </>
  )
}

function AttachmentContent({ attachment, url, context, onExpired }: ViewProps & { url: string }) {
  switch (attachment.kind) {
    case 'screenshot':
      return <Screenshot attachment={attachment} url={url} onExpired={onExpired} />
    case 'voice':
      return <SoundPlayer attachment={attachment} url={url} onExpired={onExpired} />
    case 'screen':
      return <RecordingPlayer attachment={attachment} url={url} context={context} onExpired={onExpired} />
    case 'replay':
      return (
        <Suspense fallback={<Skeleton className="aspect-video rounded-md" />}>
          <ReplayPlayer url={url} context={context} />
        </Suspense>
      )
    case 'file':
      if (attachment.mime?.startsWith('image/')) {
        return <Screenshot attachment={attachment} url={url} onExpired={onExpired} />
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

export const attachmentLabels: Readonly<Record<AttachmentKind, string>> = {
  screenshot: 'Screenshot',
  voice: 'Voice note',
  screen: 'Screen recording',
  file: 'File',
  replay: 'Replay',
}

const icons = { screenshot: Image, voice: Mic, screen: MonitorPlay, file: FileText, replay: RotateCcw }

/** An item's attachments, as small icons for its row. */
export function AttachmentIcons({ kinds }: { kinds: readonly AttachmentKind[] }) {
  return [...new Set(kinds)].map((kind) => {
    const Icon = icons[kind]
    return <Icon key={kind} role="img" aria-label={attachmentLabels[kind]} className="size-3.5 shrink-0" />
  })
}
