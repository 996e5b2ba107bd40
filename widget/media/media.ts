import type { MediaModule, Recording, RecordingOptions } from '../loader/modules.ts'
import { createClock } from './clock.ts'
import { coverPrivate } from './cover.ts'
import { findFormat, type MediaKind } from './formats.ts'
import { openSource } from './source.ts'

/** Missing in some browsers, `featurePolicy` in others. */
interface Policy {
  allowsFeature(feature: string): boolean
}

/** Whether this browser can record on this page. Causes no prompt. */
export function canRecord(kind: MediaKind): boolean {
  // Chromium has either name; TypeScript declares neither.
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
 * Requests the source and starts at once. However the recording ends, no track stays open.
 * @throws the browser's own DOMException: NotAllowedError (declined or forbidden), NotFoundError (no such device),
 *   NotReadableError (device in use), AbortError (the visitor left or stopped sharing before it began)
 */
export async function record(kind: MediaKind, options: RecordingOptions): Promise<Recording> {
  const released = new AbortController()
  const { signal } = released
  // Pages with an open microphone are not kept for back navigation (in Chromium not even after it is closed).
  let end = () => released.abort()
  window.addEventListener('pagehide', () => end(), { signal })
  try {
    if (kind === 'screen') coverPrivate(options.cover, signal)
    const { stream, main, microphone, readLevel } = await openSource(kind, options.microphone, signal)
    const recorder = new MediaRecorder(stream, {
      // Without a format the browser takes its own.
      mimeType: findFormat(kind, !!stream.getAudioTracks()[0]) ?? '',
      audioBitsPerSecond: 24_000,
      videoBitsPerSecond: 1_000_000,
      // Lets players seek every few seconds, where the browser knows this option.
      ...{ videoKeyFrameIntervalDuration: 4000 },
    })
    const clock = createClock()
    const chunks: Blob[] = []
    let { limitSeconds } = options
    end = () => {
      clock(false)
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
      // Timers are throttled in hidden tabs; this event is not.
      tick()
    }
    recorder.onstop = () => {
      end()
      const mime = recorder.mimeType
      options.onEnd({ blob: new Blob(chunks, { type: mime }), mime, durationMs: Math.round(clock()) })
    }
    main.addEventListener('ended', end, { signal })
    // Hidden tabs may be discarded without notice.
    document.addEventListener('visibilitychange', () => document.hidden && recorder.requestData(), { signal })
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
