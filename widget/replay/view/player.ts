import { openFrame } from './open-frame.ts'
import { createPage } from './page.ts'
import { listPositions } from './pointer.ts'
import { asNumber, type ReplayEvent, readEvents } from './read-events.ts'

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

/** Nothing happens for so long: idle. */
const idleMs = 2500
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
  const positions = listPositions(events)
  // The first picture of the page; its measures come a moment before.
  const startedAt = events.find(({ type }) => type === 2)?.timestamp ?? 0
  const times = events.map(({ timestamp }) => timestamp - startedAt)
  const durationMs = Math.max(1, times.at(-1) ?? 0)
  const pictures = [...events.keys()].filter((index) => events[index]?.type === 2)

  const stand = document.createElement('div')
  stand.style.cssText = 'position:relative;overflow:hidden;margin:0 auto;direction:ltr'
  container.append(stand)
  const frame = await openFrame(stand, external).catch((error) => {
    stand.remove()
    throw error
  })
  const page = createPage(frame.contentDocument as Document, external)
  const cursor = document.createElement('div')
  cursor.style.cssText =
    'position:absolute;inset:0 auto auto 0;width:14px;height:14px;margin:-9px 0 0 -9px;border:2px solid #fff;border-radius:50%;background:#4f46e5;box-shadow:0 1px 4px #0008;visibility:hidden'
  stand.append(cursor)

  let width = 1
  let height = 1
  let scale = 1
  const scaleToFit = () => {
    scale = Math.min(1, container.clientWidth / width, maxHeight / height) || scale
    Object.assign(stand.style, { width: `${width * scale}px`, height: `${height * scale}px` })
    Object.assign(frame.style, { width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` })
    showPointer(false)
  }
  const resize = (data: ReplayEvent['data']) => {
    width = asNumber(data.width, 1, 8000)
    height = asNumber(data.height, 1, 8000)
    scaleToFit()
  }

  let positionMs = 0
  let next = 0
  let isBuilt = false
  let lastFrame = 0
  let ticking = 0
  let pointer = 0

  /** @param pulses whether presses since the last call are shown as such */
  function showPointer(pulses: boolean): void {
    const now = startedAt + positionMs
    while (pointer > 0 && (positions[pointer - 1]?.at ?? 0) > now) pointer--
    for (let position = positions[pointer]; position && position.at <= now; position = positions[++pointer]) {
      if (pulses && position.pressed && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
        cursor.animate({ boxShadow: ['0 0 0 0 #4f46e5', '0 0 0 24px #4f46e500'] }, 500)
      }
    }
    const position = positions[pointer - 1]
    cursor.style.visibility = position ? 'visible' : 'hidden'
    if (position) cursor.style.translate = `${position.x * scale}px ${position.y * scale}px`
  }

  /** Brings the page to the present position. */
  const advance = () => {
    for (; next < events.length && (times[next] ?? 0) <= positionMs; next++) {
      const event = events[next]
      if (!event) break
      try {
        if (event.type === 4) resize(event.data)
        else if (event.type === 3 && event.data.source === 4) resize(event.data)
        else if (event.type === 3) page.apply(event)
        // Later checkpoints show what is there already.
        else if (event.type === 2 && !isBuilt) {
          page.build(event)
          isBuilt = true
        }
      } catch {
        // One event that cannot be shown is no reason to show none.
      }
    }
    page.settle()
  }

  const tick = (now: number) => {
    const passed = Math.min(now - lastFrame, 250) * player.speed
    lastFrame = now
    positionMs = Math.min(positionMs + passed, durationMs)
    const upcoming = Math.min(times[next] ?? durationMs, (positions[pointer]?.at ?? Infinity) - startedAt)
    if (player.skipIdle && upcoming - positionMs > idleMs) positionMs = upcoming - leadInMs
    advance()
    showPointer(true)
    if (positionMs >= durationMs) player.pause()
    else {
      ticking = requestAnimationFrame(tick)
      onChange?.(player)
    }
  }

  const sizes = new ResizeObserver(scaleToFit)
  const player: ReplayPlayer = {
    startedAtMs: startedAt,
    durationMs,
    get positionMs() {
      return positionMs
    },
    get isPlaying() {
      return !!ticking
    },
    speed: 1,
    skipIdle: false,
    play() {
      if (ticking) return
      if (positionMs >= durationMs) player.seek(0)
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
      const before = positionMs
      positionMs = Math.max(0, Math.min(target, durationMs))
      // The nearest checkpoint: the way from there is the shortest, and backwards there is no other.
      const [earliest = 0] = pictures
      const first = pictures.filter((index) => (times[index] ?? 0) <= positionMs).at(-1) ?? earliest
      if (positionMs < before || first >= next || !isBuilt) {
        isBuilt = false
        next = events[first - 1]?.type === 4 ? first - 1 : first
      }
      advance()
      showPointer(false)
      onChange?.(player)
    },
    destroy() {
      cancelAnimationFrame(ticking)
      sizes.disconnect()
      stand.remove()
    },
  }
  player.seek(0)
  sizes.observe(container)
  return player
}
