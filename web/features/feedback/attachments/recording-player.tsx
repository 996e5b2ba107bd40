import { Download } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Attachment } from '#contract/files.ts'
import { formatBytes } from '#web/shared/format-bytes.ts'
import { Button } from '#web/ui/button.tsx'
import { alignEvents, findRecordingStart } from '../context/align-events.ts'
import { RecordedEvents } from '../context/recorded-events.tsx'
import { formatDuration } from './format-media.ts'
import { knowDuration } from './know-duration.ts'

interface RecordingPlayerProps {
  attachment: Attachment
  url: string
  /** The item's: its console and network run along. */
  context: Readonly<Record<string, unknown>>
  onExpired: () => void
}

/** A screen recording in the browser's own player, which knows the keyboard, full screen and picture in picture. */
export function RecordingPlayer({ attachment, url, context, onExpired }: RecordingPlayerProps) {
  const { id, width, height, bytes, name } = attachment
  const video = useRef<HTMLVideoElement>(null)
  const [positionMs, setPositionMs] = useState(0)
  const [knownMs, setKnownMs] = useState<number | null>(null)
  const durationMs = attachment.durationMs ?? knownMs
  const events = useMemo(() => {
    const startedAtMs = findRecordingStart(id)
    if (startedAtMs === undefined || durationMs === null) return []
    return alignEvents(context, { startedAtMs, durationMs })
  }, [context, id, durationMs])
  const seek = (ms: number) => {
    setPositionMs(ms)
    if (video.current) video.current.currentTime = ms / 1000
  }
  const facts = [
    durationMs === null ? undefined : formatDuration(durationMs),
    width && height ? `${width} × ${height}` : undefined,
    bytes === null ? undefined : formatBytes(bytes),
  ].filter(Boolean)
  return (
    <figure className="overflow-hidden rounded-md border border-border bg-surface">
      <video
        ref={video}
        controls
        playsInline
        preload="metadata"
        aria-label="Screen recording"
        src={attachment.playbackUrl ?? url}
        {...(attachment.posterUrl !== null && { poster: attachment.posterUrl })}
        {...(width && height && { width, height })}
        onLoadedMetadata={({ currentTarget }) => knowDuration(currentTarget, setKnownMs)}
        onTimeUpdate={({ currentTarget }) => setPositionMs(currentTarget.currentTime * 1000)}
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
      {events.length > 0 && durationMs !== null && (
        <RecordedEvents events={events} positionMs={positionMs} durationMs={durationMs} onSeek={seek} />
      )}
    </figure>
  )
}
