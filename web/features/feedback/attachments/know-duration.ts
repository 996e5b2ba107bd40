/**
 * Tells how long a recording is, in milliseconds. Recordings that were written while they were made do not say so
 * (`Infinity`): seeking far beyond the end makes the browser look for it.
 */
export function knowDuration(media: HTMLMediaElement, onKnown: (durationMs: number) => void): void {
  if (Number.isFinite(media.duration)) {
    onKnown(media.duration * 1000)
    return
  }
  const look = () => {
    if (!Number.isFinite(media.duration)) return
    media.removeEventListener('durationchange', look)
    media.currentTime = 0
    onKnown(media.duration * 1000)
  }
  media.addEventListener('durationchange', look)
  media.currentTime = 1e101
}
