import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Attachment } from '#contract/files.ts'
import { formatBytes } from '#web/shared/format-bytes.ts'

/** A file as a row: its name, its size, and the way to get it. */
export function DownloadLink({ attachment, url, icon }: { attachment: Attachment; url: string; icon: ReactNode }) {
  const { name, mime, bytes } = attachment
  return (
    <a
      href={url}
      download={name ?? ''}
      className="flex items-center gap-3 rounded-md border border-border bg-surface px-3 py-2.5 text-base hover:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted"
    >
      {icon}
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{name ?? 'Unnamed file'}</bdi>
        <span className="text-muted text-sm">
          {[mime, bytes === null ? undefined : formatBytes(bytes)].filter(Boolean).join(' · ')}
        </span>
      </span>
      <Download aria-hidden="true" />
      <span className="sr-only">Download</span>
    </a>
  )
}
