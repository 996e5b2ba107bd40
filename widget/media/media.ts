import type { MediaModule, Recording, RecordingOptions } from '../loader/modules.ts'
import { createClock } from './clock.ts'
import { coverPrivate } from './cover.ts'
import { findFormat, type MediaKind } from './formats.ts'
import { openSource } from './source.ts'

/** Missing in some browsers, and under its first name in others. */
interface Policy {
  allowsFeature(feature: string): boolean
}

/** Whether this browser can record it on this page at all. Asks nobody for anything. */
export function canRecord(kind: MediaKind): boolean {
  const { permissionsPolicy, featurePolicy } = document as { permissionsPolicy?: Policy; featurePolicy?: Policy }
  const policy = permissionsPolicy ?? featurePolicy
  const isVoice = kind === 'voice'
  // Without a secure context there are no media devices.
  return !!(
    navigator.mediaDevices?.[isVoice ? 'getUserMedia' : 'getDisplayMedia'] &&
    window.MediaRecorder &&
    findFormat(kind, true) &&
    policy?.allowsFeature(isVoice ? 'microphone' : 'display-capture') !== false
  )
}

/**
 * Asks for the source and starts at once. However it ends, no track stays open.
 * @throws the browser's own DOMException: NotAllowedError (declined or forbidden), NotFoundError (no such device),
 *   NotReadableError (device in use), AbortError (the visitor left or stopped sharing before it began)
 */
export async function record(kind: MediaKind, options: RecordingOptions): Promise<Recording> {
  const released = new AbortController()
  const { signal } = released
  // Browsers do not keep a page with an open microphone for the way back (Chromium not even after it is closed).
  let end = () => released.abort()
  window.addEventListener('pagehide', () => end(), { signal })
  try {
    if (kind === 'screen') coverPrivate(options.cover, signal)
    const { stream, main, microphone, readLevel } = await openSource(kind, options.microphone, signal)
    const recorder = new MediaRecorder(stream, {
      // Without a format: what the browser likes best.
      mimeType: findFormat(kind, !!stream.getAudioTracks()[0]) ?? '',
      audioBitsPerSecond: 24_000,
      videoBitsPerSecond: 1_000_000,
      // Browsers that know it can then be sought in every few seconds.
      ...{ videoKeyFrameIntervalDuration: 4000 },
    })
    const clock = createClock()
    const chunks: Blob[] = []
    let { limitSeconds } = options

    end = () => {
      clock(false)
      // Does nothing when it has stopped by itself.
      recorder.stop()
      released.abort()
    }
    const tick = () => {
      const seconds = clock() / 1000
      options.onTick(seconds, readLevel())
      if (seconds >= limitSeconds) end()
    }
    recorder.ondataavailable = ({ data }) => {
      if (data.size) {
        chunks.push(data)
        options.onChunk(data)
      }
      // Timers sleep in a tab that is not looked at; this does not.
      tick()
    }
    recorder.onstop = () => {
      end()
      const mime = recorder.mimeType
      options.onEnd({ blob: new Blob(chunks, { type: mime }), mime, durationMs: Math.round(clock()) })
    }
    main.addEventListener('ended', end, { signal })
    document.addEventListener(
      'visibilitychange',
      () => {
        // Tabs that are not looked at may be thrown away without notice.
        if (document.hidden) recorder.requestData()
      },
      { signal },
    )
    recorder.start(2000)
    clock(true)
    const ticking = setInterval(tick, 250)
    signal.addEventListener('abort', () => clearInterval(ticking))

    return {
      mime: recorder.mimeType,
      microphone,
      pause() {
        if (signal.aborted) return
        recorder.pause()
        clock(false)
      },
      resume() {
        if (signal.aborted) return
        recorder.resume()
        clock(true)
      },
      stop: end,
      discard() {
        recorder.ondataavailable = recorder.onstop = null
        end()
      },
      extend(seconds) {
        limitSeconds = seconds
      },
    }
  } catch (error) {
    released.abort()
    throw error
  }
}

;({ record, canRecord }) satisfies MediaModule
