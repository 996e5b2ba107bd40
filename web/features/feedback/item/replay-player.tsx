import { FastForward, Pause, Play, RotateCcw } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import type { ReplayPlayer as Player } from '#widget/replay/view/player.ts'
import { formatDuration } from '../attachments/format-media.ts'
import { alignEvents } from '../context/align-events.ts'
import { RecordedEvents } from '../context/recorded-events.tsx'
import { useReplay } from './use-replay.ts'

const speeds = [1, 2, 4, 0.5]
const stepMs = 5000

/**
 * The last minute before a visitor wrote, as their page was. The page is drawn in a frame that runs nothing and loads
 * nothing, so pictures from the site are grey.
 * Keys within it: Space plays and pauses, arrows go 5 s on or back, Home and End to the ends.
 */
export default function ReplayPlayer({
  url,
  context,
}: {
  url: string
  /** The item's: its console and network run along. */
  context: Readonly<Record<string, unknown>>
}) {
  const stage = useRef<HTMLDivElement>(null)
  const [attempt, setAttempt] = useState(0)
  const [positionMs, setPositionMs] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const [skipsIdle, setSkipsIdle] = useState(true)
  const state = useReplay(url, stage, attempt, (player) => {
    setPlaying(player.isPlaying)
    // Ten steps a second are enough to look at.
    setPositionMs(player.isPlaying ? Math.floor(player.positionMs / 100) * 100 : player.positionMs)
  })
  const player = state.kind === 'ready' ? state.player : undefined
  const durationMs = player?.durationMs ?? 0
  const startedAtMs = player?.startedAtMs
  const events = useMemo(
    () => (startedAtMs === undefined ? [] : alignEvents(context, { startedAtMs, durationMs })),
    [context, startedAtMs, durationMs],
  )

  const toggle = () => {
    if (!player) return
    // Chosen before it was loaded, or while it was.
    player.speed = speed
    player.skipIdle = skipsIdle
    if (player.isPlaying) player.pause()
    else player.play()
  }
  const chooseSpeed = () => {
    const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1
    setSpeed(next)
    if (player) player.speed = next
  }
  const toggleIdle = () => {
    setSkipsIdle(!skipsIdle)
    if (player) player.skipIdle = !skipsIdle
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of controls, not of form fields
    <div
      role="group"
      aria-label="Replay"
      className="overflow-hidden rounded-md border border-border bg-surface"
      onKeyDown={(event) => player && control(event, player, toggle)}
    >
      <div className="relative flex min-h-60 items-center justify-center bg-neutral-900 p-3 sm:p-4">
        <div ref={stage} className={cn('w-full', player === undefined && 'absolute invisible inset-4 w-auto')} />
        {state.kind !== 'ready' && <Notice state={state} onRetry={() => setAttempt(attempt + 1)} />}
      </div>
      <Controls
        player={player}
        isPlaying={isPlaying}
        positionMs={positionMs}
        speed={speed}
        skipsIdle={skipsIdle}
        onToggle={toggle}
        onSpeed={chooseSpeed}
        onToggleIdle={toggleIdle}
      />
      {player && events.length > 0 && (
        <RecordedEvents
          events={events}
          positionMs={positionMs}
          durationMs={durationMs}
          onSeek={(ms) => player.seek(ms)}
        />
      )}
      <PrivacyNote />
    </div>
  )
}

function PrivacyNote() {
  return (
    <p className="border-border border-t px-3 py-2 text-muted text-sm">
      The page as the visitor saw it, without typed text. Pictures and frames from the site are left out.
    </p>
  )
}

interface ControlsProps {
  /** Undefined while it is loading. */
  player: Player | undefined
  isPlaying: boolean
  positionMs: number
  speed: number
  skipsIdle: boolean
  onToggle: () => void
  onSpeed: () => void
  onToggleIdle: () => void
}

function Controls(props: ControlsProps) {
  const { player, isPlaying, positionMs, speed, skipsIdle, onToggle, onSpeed, onToggleIdle } = props
  const durationMs = player?.durationMs ?? 0
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
      <Button
        variant="secondary"
        size="icon"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        disabled={!player}
        onClick={onToggle}
      >
        {isPlaying ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
      </Button>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${formatDuration(positionMs)} of ${formatDuration(durationMs)}`}
        min={0}
        max={Math.max(1, Math.round(durationMs))}
        step="any"
        value={Math.min(positionMs, durationMs)}
        disabled={!player}
        onChange={({ currentTarget }) => player?.seek(Number(currentTarget.value))}
        className="h-9 min-w-24 flex-1 cursor-pointer accent-accent disabled:cursor-default"
      />
      <span className="shrink-0 text-muted text-sm tabular-nums">
        {formatDuration(positionMs)} / {formatDuration(durationMs)}
      </span>
      <Button
        variant="ghost"
        size="sm"
        className="min-w-11 px-2 tabular-nums"
        aria-label={`Speed ${speed}×`}
        disabled={!player}
        onClick={onSpeed}
      >
        {speed}×
      </Button>
      <Button
        variant="ghost"
        size="sm"
        className={cn('px-2', skipsIdle && 'bg-accent-soft text-accent-text')}
        aria-pressed={skipsIdle}
        disabled={!player}
        onClick={onToggleIdle}
      >
        <FastForward aria-hidden="true" />
        Skip idle time
      </Button>
    </div>
  )
}

function Notice({ state, onRetry }: { state: { kind: string; why?: string }; onRetry: () => void }) {
  if (state.kind === 'loading') return <Spinner label="Loading the replay" className="size-6 text-neutral-300" />
  const isEmpty = state.kind === 'empty'
  const title = isEmpty ? 'Empty replay' : 'Couldn’t show this replay'
  const reason = isEmpty
    ? 'The file contains no recording of the page.'
    : state.why === 'network'
      ? 'Couldn’t load the file.'
      : 'The file is damaged or not a replay.'
  return (
    <div role={isEmpty ? 'status' : 'alert'} className="max-w-sm text-balance text-center text-neutral-100">
      <p className="font-medium">{title}</p>
      <p className="mt-1 text-neutral-300 text-sm">{reason}</p>
      {state.why === 'network' && (
        <Button variant="secondary" size="sm" className="mt-4" onClick={onRetry}>
          <RotateCcw aria-hidden="true" />
          Try again
        </Button>
      )}
    </div>
  )
}

/** The player's own keys. The inbox does not hear of those it takes. */
function control(event: KeyboardEvent, player: Player, toggle: () => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isButton = event.target instanceof Element && event.target.closest('button') !== null
  if (event.key === ' ' && !isButton) toggle()
  else if (event.key === 'ArrowRight') player.seek(player.positionMs + stepMs)
  else if (event.key === 'ArrowLeft') player.seek(player.positionMs - stepMs)
  else if (event.key === 'Home') player.seek(0)
  else if (event.key === 'End') player.seek(player.durationMs)
  else return
  event.preventDefault()
  event.stopPropagation()
}
