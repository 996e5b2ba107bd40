import { readEvents } from './read-events.ts'
import { openScreen } from './screen.ts'
import { createTimeline } from './timeline.ts'

export interface PlayerOptions {
  /** Whether pictures may be loaded from the web: only for a visitor who looks at their own page. */
  readonly external: boolean
  /** Longest edge of the picture from top to bottom, in CSS pixels. */
  readonly maxHeight?: number
  /** After every change of place or state. */
  onChange?(player: ReplayPlayer): void
}

/** Plays a recorded replay. Has no controls of its own. */
export interface ReplayPlayer {
  /** When it begins, in milliseconds since 1970 by the visitor's clock. */
  readonly startedAtMs: number
  readonly durationMs: number
  readonly positionMs: number
  readonly isPlaying: boolean
  speed: number
  /** Whether stretches in which nothing happens are jumped over. */
  skipIdle: boolean
  /** From the beginning when it is at the end. */
  play(): void
  pause(): void
  seek(positionMs: number): void
  /** Removes everything that it put into its container. */
  destroy(): void
}

/** A stretch without events is idle from this length on. */
const idleMs = 2500
/** Of an idle stretch this much is shown before the next event. */
const leadInMs = 500

/**
 * Puts a replay into an element, at its first moment.
 * @throws when the file is no replay
 */
export async function createPlayer(
  container: HTMLElement,
  file: Blob,
  { external, maxHeight = 10_000, onChange }: PlayerOptions,
): Promise<ReplayPlayer> {
  const events = await readEvents(file)
  const screen = await openScreen(container, external, maxHeight, () => timeline.showPointer(false))
  const timeline = createTimeline(events, screen, external)
  const { startedAtMs, durationMs } = timeline
  let lastFrame = 0
  let ticking = 0

  const tick = (now: number) => {
    const passed = Math.min(now - lastFrame, 250) * player.speed
    lastFrame = now
    const target = timeline.positionMs + passed
    const upcoming = timeline.findUpcoming()
    timeline.advance(player.skipIdle && upcoming - target > idleMs ? upcoming - leadInMs : target)
    timeline.showPointer(true)
    if (timeline.positionMs >= durationMs) player.pause()
    else {
      ticking = requestAnimationFrame(tick)
      onChange?.(player)
    }
  }

  const player: ReplayPlayer = {
    startedAtMs,
    durationMs,
    get positionMs() {
      return timeline.positionMs
    },
    get isPlaying() {
      return !!ticking
    },
    speed: 1,
    skipIdle: false,
    play() {
      if (ticking) return
      if (timeline.positionMs >= durationMs) player.seek(0)
      lastFrame = performance.now()
      ticking = requestAnimationFrame(tick)
      onChange?.(player)
    },
    pause() {
      cancelAnimationFrame(ticking)
      ticking = 0
      onChange?.(player)
    },
    seek(target) {
      timeline.seek(target)
      timeline.showPointer(false)
      onChange?.(player)
    },
    destroy() {
      cancelAnimationFrame(ticking)
      screen.remove()
    },
  }
  player.seek(0)
  screen.followSize()
  return player
}
