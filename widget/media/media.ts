import type { MediaModule, Recording, RecordingOptions } from '../loader/modules.ts'
import { createClock } from './clock.ts'
import { findFormat, type MediaKind } from './formats.ts'
import { openSource } from './source.ts'

const chunkMs = 2000
const tickMs = 250

/** Missing in some browsers, and under its first name in others. */
interface Policy {
  allowsFeature(feature: string): boolean
  features(): string[]
}

/** Whether this browser can record it on this page at all. Asks nobody for anything. */
export function canRecord(kind: MediaKind): boolean {
  const { permissionsPolicy, featurePolicy } = document as { permissionsPolicy?: Policy; featurePolicy?: Policy }
  const policy = permissionsPolicy ?? featurePolicy
  const [method, feature] =
    kind === 'voice' ? (['getUserMedia', 'microphone'] as const) : (['getDisplayMedia', 'display-capture'] as const)
  // Without a secure context there are no media devices. A feature that the policy has never heard of is allowed.
  return (
    !!navigator.mediaDevices?.[method] &&
    !!window.MediaRecorder &&
    !!findFormat(kind, true) &&
    (!policy || policy.allowsFeature(feature) || !policy.features().includes(feature))
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
  // A page with an open microphone is not kept for the way back.
  let end = () => released.abort()
  window.addEventListener('pagehide', () => end(), { signal })
  try {
    const { stream, main, microphone, readLevel } = await openSource(kind, options.microphone, signal)
    const mimeType = findFormat(kind, !!stream.getAudioTracks()[0])
    const recorder = new MediaRecorder(stream, {
      ...(mimeType && { mimeType }),
      audioBitsPerSecond: 24_000,
      videoBitsPerSecond: 1_000_000,
      // Browsers that know it can then be sought in every few seconds.
      ...{ videoKeyFrameIntervalDuration: 4000 },
    })
    const clock = createClock()
    const chunks: Blob[] = []
    let limitMs = options.limitSeconds * 1000
    let discarded = false

    end = () => {
      clock.halt()
      if (recorder.state !== 'inactive') recorder.stop()
      released.abort()
    }
    const endAtLimit = () => {
      if (clock.read() >= limitMs) end()
    }
    recorder.ondataavailable = ({ data }) => {
      if (discarded || !data.size) return
      chunks.push(data)
      options.onChunk(data)
      // Timers sleep in a tab that is not looked at; this does not.
      endAtLimit()
    }
    recorder.onstop = () => {
      end()
      const mime = recorder.mimeType
      const durationMs = Math.round(clock.read())
      if (!discarded) options.onEnd({ blob: new Blob(chunks, { type: mime }), mime, durationMs })
    }
    main.addEventListener('ended', end, { signal })
    document.addEventListener(
      'visibilitychange',
      () => {
        // Tabs that are not looked at may be thrown away without notice.
        if (document.hidden && recorder.state === 'recording') recorder.requestData()
      },
      { signal },
    )
    recorder.start(chunkMs)
    clock.run()
    const ticking = setInterval(() => {
      options.onTick(clock.read() / 1000, recorder.state === 'recording' ? readLevel() : 0)
      endAtLimit()
    }, tickMs)
    signal.addEventListener('abort', () => clearInterval(ticking))

    return {
      get mime() {
        return recorder.mimeType
      },
      microphone,
      pause() {
        if (recorder.state !== 'recording') return
        recorder.pause()
        clock.halt()
      },
      resume() {
        if (recorder.state !== 'paused') return
        recorder.resume()
        clock.run()
      },
      stop: () => end(),
      discard() {
        discarded = true
        end()
      },
      extend(limitSeconds) {
        limitMs = limitSeconds * 1000
      },
    }
  } catch (error) {
    released.abort()
    throw error
  }
}

({ record, canRecord }) satisfies MediaModule
