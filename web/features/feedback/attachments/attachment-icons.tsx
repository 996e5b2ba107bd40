import { FileText, Image, Mic, MonitorPlay, RotateCcw } from 'lucide-react'
import type { AttachmentKind } from '#contract/files.ts'

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
