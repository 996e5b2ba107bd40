import { Download } from 'lucide-react'
import type { Attachment } from '#contract/files.ts'
import { Button } from '#web/ui/button.tsx'
import { formatBytes, formatDuration } from './format-media.ts'
import { knowDuration } from './know-duration.ts'

interface RecordingPlayerProps {
  attachment: Attachment
  url: string
  onExpired: () => void
}

/** A screen recording in the browser's own player, which knows the keyboard, full screen and picture in picture. */
export function RecordingPlayer({ attachment, url, onExpired }: RecordingPlayerProps) {
  const { width, height, durationMs, bytes, name } = attachment
  const facts = [
    durationMs === null ? undefined : formatDuration(durationMs),
    width && height ? `${width} × ${height}` : undefined,
    bytes === null ? undefined : formatBytes(bytes),
  ].filter(Boolean)
  return (
    <figure className="overflow-hidden rounded-md border border-border bg-surface">
      <video
        controls
        playsInline
        preload="metadata"
        aria-label="Screen recording"
        src={attachment.playbackUrl ?? url}
        {...(attachment.posterUrl !== null && { poster: attachment.posterUrl })}
        {...(width && height && { width, height })}
        onLoadedMetadata={({ currentTarget }) => knowDuration(currentTarget, () => {})}
        onError={onExpired}
        className="max-h-[70vh] w-full bg-black object-contain"
      />
      <figcaption className="flex items-center justify-between gap-3 px-3 py-1 text-muted text-sm tabular-nums">
        <span className="min-w-0 truncate">Screen recording{facts.length > 0 && ` · ${facts.join(' · ')}`}</span>
        <Button asChild variant="ghost" size="icon-sm">
          <a href={url} download={name ?? 'screen-recording'} aria-label="Download">
            <Download aria-hidden="true" />
          </a>
        </Button>
      </figcaption>
    </figure>
  )
}
