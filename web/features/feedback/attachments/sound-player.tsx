import { Download, Pause, Play } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Attachment } from '#contract/files.ts'
import { Button } from '#web/ui/button.tsx'
import { formatDuration } from './format-media.ts'
import { knowDuration } from './know-duration.ts'

interface SoundPlayerProps {
  attachment: Attachment
  url: string
  onExpired: () => void
}

const speeds = [1, 1.5, 2]

/** A voice note: its loudness over time, which is also where to seek. */
export function SoundPlayer({ attachment, url, onExpired }: SoundPlayerProps) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [timeMs, setTimeMs] = useState(0)
  const [durationMs, setDurationMs] = useState(attachment.durationMs ?? 0)
  const [speed, setSpeed] = useState(1)

  const seek = (toMs: number) => {
    setTimeMs(toMs)
    if (audio.current) audio.current.currentTime = toMs / 1000
  }
  const togglePlaying = () => {
    if (isPlaying) audio.current?.pause()
    else audio.current?.play().catch(onExpired)
  }
  const nextSpeed = () => {
    const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1
    setSpeed(next)
    if (audio.current) audio.current.playbackRate = next
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of controls, not of form fields
    <div
      role="group"
      aria-label="Voice note"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-border bg-surface px-3 py-2.5"
    >
      {/* biome-ignore lint/a11y/useMediaCaption: what visitors say has no captions */}
      <audio
        ref={audio}
        src={attachment.playbackUrl ?? url}
        preload="metadata"
        onLoadedMetadata={({ currentTarget }) => knowDuration(currentTarget, setDurationMs)}
        onTimeUpdate={({ currentTarget }) => setTimeMs(currentTarget.currentTime * 1000)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onError={onExpired}
      />
      <Button variant="secondary" size="icon" aria-label={isPlaying ? 'Pause' : 'Play'} onClick={togglePlaying}>
        {isPlaying ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
      </Button>
      <Waveform
        values={attachment.waveform}
        timeMs={Math.min(timeMs, durationMs || timeMs)}
        durationMs={durationMs}
        onSeek={seek}
      />
      <span className="shrink-0 text-muted text-sm tabular-nums">
        {formatDuration(timeMs)} / {formatDuration(durationMs)}
      </span>
      <Button
        variant="ghost"
        size="sm"
        className="px-2 tabular-nums"
        aria-label={`Speed ${speed}×`}
        onClick={nextSpeed}
      >
        {speed}×
      </Button>
      <Button asChild variant="ghost" size="icon-sm">
        <a href={url} download={attachment.name ?? 'voice-note'} aria-label="Download">
          <Download aria-hidden="true" />
        </a>
      </Button>
    </div>
  )
}

/** Loudness as bars with a slider over them; without values a plain line. */
function Waveform({
  values,
  timeMs,
  durationMs,
  onSeek,
}: {
  values: readonly number[] | null
  timeMs: number
  durationMs: number
  onSeek: (ms: number) => void
}) {
  const clip = useId()
  const bars = values && values.length > 0 ? values : Array.from({ length: 60 }, () => 8)
  const part = durationMs > 0 ? Math.min(1, timeMs / durationMs) : 0
  return (
    <div className="relative h-9 min-w-16 flex-1 basis-40 rounded-sm focus-within:outline-2 focus-within:outline-ring">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${bars.length} 36`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
      >
        <clipPath id={clip}>
          <rect x="0" y="0" width={bars.length * part} height="36" />
        </clipPath>
        <Bars values={bars} className="fill-border-strong" />
        <Bars values={bars} className="fill-accent" clipPath={`url(#${clip})`} />
      </svg>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${formatDuration(timeMs)} of ${formatDuration(durationMs)}`}
        min={0}
        max={Math.max(1, Math.round(durationMs))}
        step={Math.max(1, Math.round(durationMs / 100))}
        value={Math.round(timeMs)}
        onChange={({ currentTarget }) => onSeek(Number(currentTarget.value))}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
    </div>
  )
}

function Bars({ values, className, clipPath }: { values: readonly number[]; className: string; clipPath?: string }) {
  const path = values
    .map((value, index) => {
      const height = Math.max(2, (Math.min(100, Math.max(0, value)) / 100) * 34)
      return `M${index + 0.2} ${18 - height / 2}h.6v${height}h-.6z`
    })
    .join('')
  return <path d={path} className={className} {...(clipPath !== undefined && { clipPath })} />
}
